import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { ArrowLeft, ArrowRight, FileText } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { shorten } from '#libs/contract/text.js';
import { useBatchOf, useCreation, useSources } from '../../modules/creations/api/creation-pages';
import { titleOf } from '../../modules/creations/title-of';
import { isNotFound } from '../../shared/http/http';
import { EDIT_PARAMETER, paths } from '../../shared/paths';
import { useJobPath } from '../../shared/tools/tool-pages';
import { PageHeading } from '../../shared/ui/page-heading';
import { RowThumbnail } from '../../shared/ui/row-thumbnail';
import { Loading } from '../../shared/ui/spinner';
import { UnavailablePage } from '../../shared/ui/unavailable-page';
import { formatDate } from '../../shared/lib/format';
import { CreationDetails } from './creation-card';
import { useCreationTypes } from './creation-types';

const HEADING_MAX_CHARACTERS = 80;

/** Page of one of the user's creations, with the creations that it was made from. */
export default function CreationPage() {
  const { id = '' } = useParams();
  const { data: creation, failureReason, refetch } = useCreation(id);
  // The creation can also be deleted while this page is open; the query then still has its data.
  const isDeleted = isNotFound(failureReason);
  if (creation !== undefined && !isDeleted) return <CreationView creation={creation} />;
  if (failureReason === null) return <Loading label="Loading the creation" />;
  return (
    <UnavailablePage
      what="creation"
      isDeleted={isDeleted}
      back={{ path: paths.dashboard, label: 'Go to your dashboard' }}
      onRetry={() => void refetch()}
    />
  );
}

function CreationView({ creation }: { creation: Creation }) {
  const navigate = useNavigate();
  const jobPath = useJobPath();
  const [parameters] = useSearchParams();
  const { label } = useCreationTypes()(creation.type);
  return (
    <>
      <PageHeading lead={`${label} · ${formatDate(creation.created_at)}`}>
        {shorten(titleOf(creation), HEADING_MAX_CHARACTERS) || label}
      </PageHeading>
      <div className="grid gap-6">
        <BackToBatch creation={creation} />
        <Chain creation={creation} />
        <CreationDetails
          creation={creation}
          edited={parameters.has(EDIT_PARAMETER)}
          onStarted={(job, earlierId) => void navigate(jobPath(job, earlierId))}
        />
      </div>
    </>
  );
}

/** Link to the batch that made an image. Renders nothing if no batch did. */
function BackToBatch({ creation: { id, type } }: { creation: Creation }) {
  const batch = useBatchOf(type === 'image' ? id : null).data;
  if (!batch) return null;
  return (
    <p>
      <Link
        to={paths.batch(batch.id)}
        className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to its batch
      </Link>
    </p>
  );
}

/** Lists the creations that a creation was made from, step by step. Renders nothing if there are none. */
function Chain({ creation }: { creation: Creation }) {
  const sources = useSources(creation.madeFrom === null ? null : creation.id).data ?? [];
  if (sources.length === 0) return null;
  const steps = [...sources].reverse();
  return (
    <section aria-label="Made from">
      <h2 className="text-lg">Made from</h2>
      <ol className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-3">
        {steps.map((source) => (
          <li key={source.id} className="flex max-w-full items-center gap-2">
            <Link
              to={paths.creation(source.id)}
              className="flex min-h-11 min-w-0 items-center gap-3 rounded-control border border-line py-1 pr-3 pl-1 hover:bg-tint"
            >
              <RowThumbnail icon={FileText} imageUrl={source.thumbnail} />
              <span className="max-w-48 truncate text-sm" title={titleOf(source)}>
                {titleOf(source)}
              </span>
            </Link>
            <ArrowRight aria-hidden="true" className="size-4 shrink-0 text-quiet" />
          </li>
        ))}
        <li aria-current="page" className="flex items-center gap-3">
          <RowThumbnail icon={FileText} imageUrl={creation.thumbnail} />
          <span className="text-sm font-semibold">This creation</span>
        </li>
      </ol>
    </section>
  );
}
