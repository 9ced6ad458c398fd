import { batchTools } from '#libs/contract/batches.js';
import { batchKind } from '../../modules/runs/lists/run-kinds';
import { BeginInATool } from '../../shared/tools/begin-in-a-tool';
import { PageHeading } from '../../shared/ui/page-heading';
import { RunList } from './run-list';

export default function BatchesPage() {
  return (
    <>
      <PageHeading lead="Many pictures at once, each with its result.">Batches</PageHeading>
      <RunList
        kind={batchKind}
        what="your batches"
        empty={
          <BeginInATool
            how="Choose several pictures in one of these tools to start a batch."
            tools={batchTools}
          />
        }
      />
    </>
  );
}
