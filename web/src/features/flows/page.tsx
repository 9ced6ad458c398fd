import { newer, useFlows } from '../../modules/runs/flows/flow-cache';
import { useFlowPages } from '../../modules/runs/flows/flow-calls';
import { FlowRow } from '../../modules/runs/flows/flow-row';
import { queryKeys } from '../../shared/http/query-keys';
import { BeginInATool } from '../../shared/tools/begin-in-a-tool';
import { PagedList } from '../../shared/ui/paged-list';
import { PageHeading } from '../../shared/ui/page-heading';

/** The tools on whose pages a flow starts. */
const starts = ['generate-article', 'calculate-ats-score'] as const;

export default function FlowsPage() {
  const pages = useFlowPages();
  const latest = useFlows();
  const listed = pages.data?.pages.flatMap(({ flows }) => flows) ?? [];
  // What began while the page is open.
  const added = latest.filter(({ createdAt }) => createdAt > (listed[0]?.createdAt ?? ''));
  const shown = [
    ...added,
    ...listed.map((flow) =>
      newer(
        latest.find(({ id }) => id === flow.id),
        flow,
      ),
    ),
  ];
  return (
    <>
      <PageHeading lead="Several tools as one run, each with its steps.">Runs</PageHeading>
      <PagedList
        pages={pages}
        queryKey={queryKeys.flowPages}
        what="your runs"
        rows={shown.map((flow) => (
          <FlowRow key={flow.id} flow={flow} />
        ))}
        empty={<BeginInATool how="Choose “Run all steps” in one of these tools." tools={starts} />}
      />
    </>
  );
}
