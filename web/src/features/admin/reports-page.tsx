import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { shownCreations, type CreationContents, type ModeratedCreation } from '#libs/contract/admin.js';
import { UUID } from '#libs/contract/text.js';
import { queryKeys } from '../../shared/http/query-keys';
import { formatExact } from '../../shared/lib/format';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { FieldFrame } from '../../shared/ui/field-frame';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { PagedList } from '../../shared/ui/paged-list';
import { SearchBox } from '../../shared/ui/search-box';
import { Select } from '../../shared/ui/select';
import { useDecide, useReports, useRevealCreation, type Decision } from './admin-api';
import { ListNotice } from './query-panel';
import { ReasonDialog } from './reason-dialog';

const lists = {
  open: { label: 'to decide, the oldest first', empty: 'Nothing is reported, and nothing waits.' },
  hidden: { label: 'hidden, refused or taken down', empty: 'Nothing is hidden.' },
  published: { label: 'published pictures', empty: 'No picture is published.' },
};

export default function AdminReportsPage() {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const show = shownCreations.find((name) => name === parameters.get('show')) ?? 'open';
  const id = parameters.get('id') ?? '';
  const isWrong = id !== '' && !UUID.test(id);
  return (
    <>
      <PageHeading lead="Reported pictures, answers of their owners, and pictures that wait for an approval. What is not public is hidden until you ask for it.">
        Reports
      </PageHeading>
      <div className="mb-6 grid gap-4 sm:grid-cols-[1fr_18rem] sm:items-end">
        <SearchBox
          label="Id of a creation"
          placeholder="Id of a creation"
          value={id}
          onChange={(value) => change({ id: value || null })}
        />
        <FieldFrame id="reports-show" label="Show">
          <Select
            id="reports-show"
            value={show}
            disabled={id !== ''}
            onChange={({ currentTarget }) =>
              change({ show: currentTarget.value === 'open' ? null : currentTarget.value })
            }
          >
            {shownCreations.map((name) => (
              <option key={name} value={name}>
                {lists[name].label}
              </option>
            ))}
          </Select>
        </FieldFrame>
      </div>
      {isWrong ? (
        <Notice tone="note">This is not the id of a creation. It is the end of its address.</Notice>
      ) : (
        <Creations query={id === '' ? { show } : { show, id }} />
      )}
    </>
  );
}

function Creations({ query }: { query: Parameters<typeof useReports>[0] }) {
  const reports = useReports(query);
  return (
    <>
      <ListNotice query={reports} />
      <PagedList
        pages={reports}
        queryKey={queryKeys.admin.reports(query)}
        what="the reports"
        empty={
          <p className="text-quiet">
            {query.id === undefined ? lists[query.show].empty : 'There is no creation with this id.'}
          </p>
        }
        rows={(reports.data?.pages ?? [])
          .flatMap(({ creations }) => creations)
          .map((creation) => (
            <CreationRow key={creation.id} creation={creation} />
          ))}
      />
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
    title: 'Restore the creation?',
    what: 'A hidden picture is public again, if its owner still wants it. What was taken down may be published again.',
  },
  takedown: {
    label: 'Take down',
    title: 'Take the creation down?',
    what: 'Its publication and its link end, and its owner cannot make them again.',
  },
  dismiss: {
    label: 'Dismiss',
    title: 'Leave it as it is?',
    what: 'Its reports and the answer of its owner are closed. Its reporters cannot report it again unless it is changed.',
  },
};
const adverse: Decision[] = ['hide', 'takedown'];

function decisionsFor({
  type,
  state,
  published,
  isTakenDown,
  isAppealOpen,
  openReports,
}: ModeratedCreation): Decision[] {
  const dismiss: Decision[] = openReports > 0 || isAppealOpen ? ['dismiss'] : [];
  if (isTakenDown) return ['restore', ...dismiss];
  const first: Decision[] =
    state === 'waiting' || state === 'refused'
      ? ['approve', 'hide']
      : state === 'hidden'
        ? ['restore']
        : published && type === 'image'
          ? ['hide']
          : [];
  return [...first, 'takedown', ...dismiss];
}

function stateOf({ state, cause, published, isTakenDown }: ModeratedCreation): string {
  if (isTakenDown) return 'taken down';
  if (published) return 'public';
  return state === null || state === 'approved' ? 'private' : `${state}, by ${cause}`;
}

/** Contents are hidden until an operator wants to see them. */
function CreationRow({ creation }: { creation: ModeratedCreation }) {
  const [contents, setContents] = useState<CreationContents | null>(null);
  const [asked, setAsked] = useState<Decision | 'reveal' | null>(null);
  const { id, userId, reason, appeal, reports, since } = creation;
  const show = () => {
    if (creation.contents) setContents({ ...creation.contents, text: null });
    else setAsked('reveal');
  };
  return (
    <li className="grid gap-4 border-b border-line py-5 sm:grid-cols-[10rem_1fr]">
      {contents?.image ? (
        <a href={contents.image} target="_blank" rel="noreferrer" aria-label="Open the whole picture">
          <img
            src={contents.thumbnail ?? contents.image}
            alt={contents.caption}
            className="w-40 rounded-control"
          />
        </a>
      ) : (
        <div className="grid size-40 place-items-center rounded-control bg-sunken">
          {contents ? (
            <span className="text-sm text-quiet">A text</span>
          ) : (
            <Button size="small" onClick={show}>
              Show
            </Button>
          )}
        </div>
      )}
      <div className="grid min-w-0 content-start gap-2">
        {contents && (
          <p className="wrap-anywhere">
            <bdi>{contents.caption}</bdi>
          </p>
        )}
        {contents?.text && (
          <pre className="max-h-96 overflow-auto rounded-control bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
            {contents.text}
          </pre>
        )}
        <p className="text-sm text-quiet">
          {stateOf(creation)} ·{' '}
          <Link className="underline hover:text-accent" to={paths.adminUser(userId)}>
            owner
          </Link>{' '}
          · since {formatExact(since)}
        </p>
        <p className="font-mono text-xs wrap-anywhere text-quiet">{id}</p>
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
          {decisionsFor(creation).map((decision) => (
            <Button
              key={decision}
              size="small"
              variant={adverse.includes(decision) ? 'danger' : 'plain'}
              onClick={() => setAsked(decision)}
            >
              {decisions[decision].label}
            </Button>
          ))}
        </div>
      </div>
      {asked === 'reveal' && <RevealDialog id={id} onRevealed={setContents} onClose={() => setAsked(null)} />}
      {asked && asked !== 'reveal' && (
        <DecisionDialog id={id} decision={asked} onClose={() => setAsked(null)} />
      )}
    </li>
  );
}

interface RevealDialogProps {
  id: string;
  onRevealed: (contents: CreationContents) => void;
  onClose: () => void;
}

function RevealDialog({ id, onRevealed, onClose }: RevealDialogProps) {
  const reveal = useRevealCreation();
  const onSuccess = (contents: CreationContents) => {
    onRevealed(contents);
    onClose();
  };
  return (
    <ReasonDialog
      title="Show the creation?"
      confirmLabel="Show"
      mutation={reveal}
      onConfirm={(reason) => reveal.mutate({ id, reason }, { onSuccess })}
      onClose={onClose}
    >
      It is not public. That you saw it stands in the audit log.
    </ReasonDialog>
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
      isReasonShown={adverse.includes(decision)}
      variant={adverse.includes(decision) ? 'danger' : 'primary'}
      mutation={decide}
      onConfirm={(reason) => decide.mutate({ id, decision, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {what}
    </ReasonDialog>
  );
}
