import { Link, useSearchParams } from 'react-router-dom';
import { usePublished } from '../../modules/creations/api/list-published';
import { useConfig } from '../../shared/account/read-config';
import { paths, REPORT_PARAMETER } from '../../shared/paths';
import { Button, buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { Loading } from '../../shared/ui/spinner';
import { PublishedImage } from './published-image';
import { ReportDialog } from './report-dialog';

export default function CommunityPage() {
  const published = usePublished();
  const isOff = useConfig().data?.publishing === 'off';
  const [parameters, setParameters] = useSearchParams();
  // The public page of a picture links here with this parameter.
  const reported = parameters.get(REPORT_PARAMETER);
  const report = (id: string | null) =>
    setParameters(id === null ? {} : { [REPORT_PARAMETER]: id }, { replace: true });
  const creations = published.data?.pages.flatMap((page) => page.creations);
  return (
    <>
      <PageHeading lead="Published images, newest first.">Community Creations</PageHeading>
      {isOff && (
        <div className="mb-6">
          <Notice tone="note" title="Publishing is switched off on this server">
            What was published before stays here. New images stay private.
          </Notice>
        </div>
      )}
      {creations !== undefined ? (
        creations.length === 0 ? (
          !isOff && <Empty />
        ) : (
          <>
            <ul className="gap-4 sm:columns-2 xl:columns-3">
              {creations.map((creation) => (
                <PublishedImage key={creation.id} creation={creation} onReport={() => report(creation.id)} />
              ))}
            </ul>
            {published.hasNextPage && (
              <div className="mt-8 grid justify-items-center">
                <Button busy={published.isFetchingNextPage} onClick={() => void published.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )
      ) : published.failureReason !== null ? (
        <Notice tone="danger" title="The images could not be loaded" onRetry={() => published.refetch()}>
          {published.failureReason.message}
        </Notice>
      ) : (
        <Loading label="Loading the images" />
      )}
      {reported !== null && <ReportDialog id={reported} onClose={() => report(null)} />}
    </>
  );
}

function Empty() {
  return (
    <div className="panel relative grid justify-items-center gap-5 px-6 py-20 text-center">
      <CornerMarks />
      <p className="display text-2xl">No published images yet</p>
      <p className="max-w-sm text-quiet">Publish an image when you generate it to see it here.</p>
      <Link to={paths.tool('generate-images')} className={buttonClass('primary')}>
        Generate Images
      </Link>
    </div>
  );
}
