import { batchTools } from '#libs/contract/batches.js';
import { batchKind } from '../../modules/runs/lists/run-kinds';
import { StartInTool } from '../../shared/tools/start-in-tool';
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
          <StartInTool
            how="Choose several pictures in one of these tools to start a batch."
            tools={batchTools}
          />
        }
      />
    </>
  );
}
