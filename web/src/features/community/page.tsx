import { Link } from 'react-router-dom';
import { usePublished } from '../../modules/creations/api/list-published';
import { paths } from '../../shared/paths';
import { Button, buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { Loading } from '../../shared/ui/spinner';
import { PublishedImage } from './published-image';

export default function CommunityPage() {
  const published = usePublished();
  const creations = published.data?.pages.flatMap((page) => page.creations);
  return (
    <>
      <PageHeading lead="Published images, newest first.">Community Creations</PageHeading>
      {creations !== undefined ? (
        creations.length === 0 ? (
          <Empty />
        ) : (
          <>
            <ul className="gap-4 sm:columns-2 xl:columns-3">
              {creations.map((creation) => (
                <PublishedImage key={creation.id} creation={creation} />
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
