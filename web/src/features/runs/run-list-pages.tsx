import { batchTools } from '#libs/contract/batches.js';
import { batchKind, flowKind } from '../../modules/runs/lists/run-kinds';
import { StartInTool } from '../../shared/tools/start-in-tool';
import { PageHeading } from '../../shared/ui/page-heading';
import { RunList } from './run-list';

export const BatchesPage = () => (
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

/** Tools on whose pages users can start a flow. */
const flowStarts = ['generate-article', 'calculate-ats-score'] as const;

export const FlowsPage = () => (
  <>
    <PageHeading lead="Several tools as one run, each with its steps.">Runs</PageHeading>
    <RunList
      kind={flowKind}
      what="your runs"
      empty={<StartInTool how="Choose “Run all steps” in one of these tools." tools={flowStarts} />}
    />
  </>
);
