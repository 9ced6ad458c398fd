import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReportedPicture } from '#libs/contract/admin.js';
import { formatExact } from '../../shared/lib/format';
import { paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { PageHeading } from '../../shared/ui/page-heading';
import { useDecide, useReports, type Decision } from './admin-api';
import { QueryPanel } from './query-panel';
import { ReasonDialog } from './reason-dialog';

export default function AdminReportsPage() {
  return (
    <>
      <PageHeading lead="Published pictures with reports or an appeal, and pictures that wait for an approval, the oldest first.">
        Reports
      </PageHeading>
      <QueryPanel query={useReports()} what="the reports">
        {(pictures) =>
          pictures.length === 0 ? (
            <p className="text-quiet">Nothing is reported, and nothing waits.</p>
          ) : (
            <ul className="border-t border-line">
              {pictures.map((picture) => (
                <PictureRow key={picture.id} picture={picture} />
              ))}
            </ul>
          )
        }
      </QueryPanel>
    </>
  );
}

const decisions: Record<Decision, { label: string; title: string; what: string }> = {
  approve: { label: 'Approve', title: 'Publish the picture?', what: 'Everybody sees it.' },
  hide: {
    label: 'Hide',
    title: 'Hide the picture?',
    what: 'It is public no more. Its owner can answer once.',
  },
  restore: {
    label: 'Restore',
    title: 'Show the picture again?',
    what: 'Everybody sees it, if its owner still wants it.',
  },
  dismiss: { label: 'Dismiss', title: 'Close the reports?', what: 'The picture stays as it is.' },
};

function decisionsFor({ state, openReports }: ReportedPicture): Decision[] {
  if (state === 'waiting' || state === 'refused') return ['approve', 'hide'];
  if (state === 'hidden') return ['restore', ...(openReports > 0 ? (['dismiss'] as const) : [])];
  return ['hide', 'dismiss'];
}

/** Hidden until an operator wants to see it. */
function PictureRow({ picture }: { picture: ReportedPicture }) {
  const [isShown, setShown] = useState(false);
  const [asked, setAsked] = useState<Decision | null>(null);
  const { id, userId, caption, thumbnail, image, state, cause, reason, appeal, reports, since } = picture;
  return (
    <li className="grid gap-4 border-b border-line py-5 sm:grid-cols-[10rem_1fr]">
      {isShown ? (
        <a href={image} target="_blank" rel="noreferrer" aria-label="Open the whole picture">
          <img src={thumbnail ?? image} alt={caption} className="w-40 rounded-control" />
        </a>
      ) : (
        <div className="grid size-40 place-items-center rounded-control bg-sunken">
          <Button size="small" onClick={() => setShown(true)}>
            Show
          </Button>
        </div>
      )}
      <div className="grid min-w-0 content-start gap-2">
        <p className="wrap-anywhere">
          <bdi>{caption}</bdi>
        </p>
        <p className="text-sm text-quiet">
          {state === null || state === 'approved' ? 'public' : `${state}, by ${cause}`} ·{' '}
          <Link className="underline hover:text-accent" to={paths.adminUser(userId)}>
            owner
          </Link>{' '}
          · since {formatExact(since)}
        </p>
        {reason && <p className="text-sm wrap-anywhere">{reason}</p>}
        {appeal && (
          <p className="wrap-anywhere">
            <span className="text-sm text-quiet">The owner answers: </span>
            <bdi>{appeal}</bdi>
          </p>
        )}
        {reports.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {reports.map((report, n) => (
              <li key={n} className="wrap-anywhere">
                <span className="font-semibold">{report.reason}</span>
                {!report.counts && <span className="text-quiet"> (does not count)</span>}{' '}
                <bdi>{report.words}</bdi>{' '}
                <Link className="text-quiet underline hover:text-accent" to={paths.adminUser(report.userId)}>
                  reporter
                </Link>
              </li>
            ))}
          </ul>
        )}
        <div className="mt-2 flex flex-wrap gap-2">
          {decisionsFor(picture).map((decision) => (
            <Button
              key={decision}
              size="small"
              variant={decision === 'hide' ? 'danger' : 'plain'}
              onClick={() => setAsked(decision)}
            >
              {decisions[decision].label}
            </Button>
          ))}
        </div>
      </div>
      {asked && <DecisionDialog id={id} decision={asked} onClose={() => setAsked(null)} />}
    </li>
  );
}

interface DecisionDialogProps {
  id: string;
  decision: Decision;
  onClose: () => void;
}

function DecisionDialog({ id, decision, onClose }: DecisionDialogProps) {
  const decide = useDecide();
  const { title, label, what } = decisions[decision];
  return (
    <ReasonDialog
      title={title}
      confirmLabel={label}
      isReasonShown={decision === 'hide'}
      variant={decision === 'hide' ? 'danger' : 'primary'}
      busy={decide.isPending}
      error={decide.error}
      onConfirm={(reason) => decide.mutate({ id, decision, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {what}
    </ReasonDialog>
  );
}
