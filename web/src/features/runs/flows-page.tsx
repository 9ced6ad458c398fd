import { flowKind } from '../../modules/runs/lists/run-kinds';
import { StartInTool } from '../../shared/tools/start-in-tool';
import { PageHeading } from '../../shared/ui/page-heading';
import { RunList } from './run-list';

/** The tools on whose pages a flow starts. */
const starts = ['generate-article', 'calculate-ats-score'] as const;

export default function FlowsPage() {
  return (
    <>
      <PageHeading lead="Several tools as one run, each with its steps.">Runs</PageHeading>
      <RunList
        kind={flowKind}
        what="your runs"
        empty={<StartInTool how="Choose “Run all steps” in one of these tools." tools={starts} />}
      />
    </>
  );
}
