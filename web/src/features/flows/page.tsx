import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { newer, useFlows } from '../../shared/flow-state/flow-cache';
import { useFlowPages } from '../../shared/flows/flow-calls';
import { FlowRow } from '../../shared/flows/flow-row';
import { isTooFast } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';
import { paths } from '../../shared/paths';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { Button, buttonClass } from '../../shared/ui/button';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { Loading } from '../../shared/ui/spinner';

export default function FlowsPage() {
  const queries = useQueryClient();
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
      {pages.data === undefined ? (
        pages.failureReason !== null && !isTooFast(pages.failureReason) ? (
          <Notice
            tone="danger"
            title="Your runs could not be loaded"
            action={
              <Button
                size="small"
                onClick={() => void queries.resetQueries({ queryKey: queryKeys.flowPages })}
              >
                Try again
              </Button>
            }
          >
            {pages.failureReason.message}
            {!pages.isError && ' This list tries again by itself.'}
          </Notice>
        ) : (
          <Loading label="Loading your runs" />
        )
      ) : shown.length === 0 ? (
        <Empty />
      ) : (
        <>
          <ul className="border-t border-line">
            {shown.map((flow) => (
              <FlowRow key={flow.id} flow={flow} />
            ))}
          </ul>
          {pages.hasNextPage && (
            <Button
              className="mt-6"
              busy={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </>
  );
}

/** The tools on whose pages a flow starts. */
const starts = ['generate-article', 'calculate-ats-score'] as const;

function Empty() {
  const findToolPage = useFindToolPage();
  return (
    <div className="panel relative grid justify-items-center gap-5 px-6 py-14 text-center">
      <CornerMarks />
      <p className="text-quiet">Choose “Do all in one run” in one of these tools.</p>
      <div className="flex flex-wrap justify-center gap-3">
        {starts.map((name) => {
          const page = findToolPage(name);
          return (
            page && (
              <Link key={name} to={paths.tool(page.segment)} className={buttonClass('plain')}>
                {page.label}
              </Link>
            )
          );
        })}
      </div>
    </div>
  );
}
