import { useRef, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { Download, FolderOpen } from 'lucide-react';
import type { BatchItem, BatchTool } from '#libs/contract/batches.js';
import { useAccount } from '../../shared/account/read-account';
import { ApiFailure, isTooFast } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';
import { useBatchQuery } from '../../modules/runs/batches/batch-calls';
import { creditsText, percentOf, pictures, progressText } from '../../modules/runs/batches/batch-text';
import { CancelBatchQuestion } from '../../modules/runs/batches/cancel-batch-question';
import { matchFiles, type UploadState } from '../../modules/runs/batches/batch-uploads';
import { useBatchUploads, useBatchView, useUploadState } from '../../modules/runs/batches/batches-context';
import { useFilePicker } from '../../modules/submission/files/use-file-picker';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { SubmissionProblem } from '../../modules/runs/jobs/submission-problem';
import { summaryOf } from '../../shared/tools/summary-of';
import { Button, buttonClass } from '../../shared/ui/button';
import { NotFoundPanel } from '../../shared/ui/not-found-panel';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { Loading } from '../../shared/ui/spinner';
import { BatchItemRow } from './batch-item-row';

export default function BatchPage() {
  const id = useParams()['id'] ?? '';
  const { failureReason: error, isError } = useBatchQuery(id);
  const queries = useQueryClient();
  const view = useBatchView(id);
  if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return <NotFoundPanel />;
  if (view !== null && view.items !== null) return <BatchDetails id={id} />;
  if (error !== null && !isTooFast(error))
    return (
      <Notice
        tone="danger"
        title="This batch could not be loaded"
        action={
          <Button size="small" onClick={() => void queries.resetQueries({ queryKey: queryKeys.batch(id) })}>
            Try again
          </Button>
        }
      >
        {error.message}
        {!isError && ' Retrying automatically.'}
      </Notice>
    );
  return <Loading label="Loading the batch" />;
}

function BatchDetails({ id }: { id: string }) {
  const { batch, items } = useBatchView(id)!;
  const upload = useUploadState(id);
  const uploads = useBatchUploads();
  const account = useAccount().data;
  const [asked, setAsked] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const isOpen = batch.status === 'open';
  const missing = (items ?? []).filter(({ state }) => state === 'missing');
  const refused = missing.filter(({ n }) => upload.refused.has(n));
  const away = missing.filter((item) => uploadOf(item, upload) === 'away' && !upload.refused.has(item.n));
  const again = (items ?? []).filter((item) => item.sendableAgain && uploadOf(item, upload) === 'away');
  const waiting = missing.length - refused.length - away.length;
  return (
    <>
      <PageHeading
        actions={
          <div ref={actions} className="flex flex-wrap gap-2">
            {isOpen && (
              <Button aria-expanded={asked} onClick={() => setAsked(!asked)}>
                Cancel what is left
              </Button>
            )}
            {batch.zip !== null && (
              <a href={sameOriginUrl(batch.zip)} download className={buttonClass('primary')}>
                <Download aria-hidden="true" className="size-4" />
                Download ZIP
              </a>
            )}
          </div>
        }
      >
        {batch.title}
      </PageHeading>
      <div className="mb-8 grid gap-3">
        {isOpen && asked && (
          <CancelBatchQuestion
            batch={batch}
            onClose={() => {
              setAsked(false);
              (actions.current?.querySelector<HTMLElement>('[aria-expanded]') ?? list.current)?.focus({
                preventScroll: true,
              });
            }}
          />
        )}
        {isOpen && <ProgressBar label="Progress of the batch" percent={percentOf(batch)} kind="measured" />}
        <p>
          {progressText(batch)}
          {isOpen && batch.zip !== null && (
            <span className="text-quiet"> The ZIP holds what is done so far.</span>
          )}
        </p>
        <Announcement text={progressText(batch)} step={isOpen ? Math.floor(percentOf(batch) / 10) : 'end'} />
        {upload.problem !== null && (
          <SubmissionProblem
            error={upload.problem}
            onRetry={() => uploads?.retry(id)}
            note="Sending goes on by itself."
          />
        )}
        {isOpen && away.length > 0 && (
          <ChooseFiles id={id} items={away} title={`${pictures(away.length)} not sent yet`}>
            {away.length === 1
              ? `This browser does not have the file of ${listed(away)}. Choose or drop it here, and it is sent.`
              : `This browser does not have the files of ${listed(away)}. Choose or drop them here, all at once, and they are sent.`}
          </ChooseFiles>
        )}
        {again.length > 0 && (
          <ChooseFiles id={id} items={again} title={`${pictures(again.length)} can be sent again`}>
            {again.length === 1
              ? `The file of ${listed(again)} is no longer stored. Choose or drop it here, and it is sent again.`
              : `The files of ${listed(again)} are no longer stored. Choose or drop them here, all at once, and they are sent again.`}
            {account?.plan === 'free' && costText(batch.tool)}
          </ChooseFiles>
        )}
        {isOpen && refused.length > 0 && (
          <Notice tone="warning" title={`${pictures(refused.length)} cannot be used`}>
            The list says why. Leave them out, which costs nothing; the others go on.
          </Notice>
        )}
        {isOpen && waiting > 0 && upload.problem === null && (
          <p className="text-sm text-quiet">
            {pictures(waiting)} still to be sent. You can leave this page, but keep Pressroom open until they
            are sent; then everything goes on by itself.
          </p>
        )}
      </div>
      <ul ref={list} tabIndex={-1} aria-label="Pictures" className="border-t border-line outline-none">
        {(items ?? []).map((item) => (
          <BatchItemRow
            key={item.n}
            batch={batch}
            item={item}
            upload={uploadOf(item, upload)}
            // Until the picture is left out, or sent after all.
            refused={item.state === 'missing' || item.sendableAgain ? upload.refused.get(item.n) : undefined}
          />
        ))}
      </ul>
    </>
  );
}

const uploadOf = ({ n, state }: BatchItem, { here, sending, sent }: UploadState) =>
  sending.has(n) || (sent.has(n) && state === 'missing') ? 'sending' : here.has(n) ? 'here' : 'away';

/** What sending again takes on the free plan. */
function costText(tool: string): string {
  const { plan, credits } = summaryOf(tool as BatchTool);
  if (plan === 'premium') return ' This takes the premium plan.';
  return credits === 0 ? '' : ` Each costs ${creditsText(credits)}; those of the first try were given back.`;
}

interface ChooseFilesProps {
  id: string;
  items: readonly BatchItem[];
  title: string;
  children: ReactNode;
}

/** Asks for the files of pictures that neither this browser nor the server has. */
function ChooseFiles({ id, items, title, children }: ChooseFilesProps) {
  const uploads = useBatchUploads();
  const [unknown, setUnknown] = useState(0);
  const picker = useFilePicker({
    kind: 'image',
    onPick: (file) => choose([file]),
    onPickMany: (files) => choose(files),
  });
  const choose = (files: readonly File[]) => {
    const found = matchFiles(items, files);
    setUnknown(files.length - found.size);
    if (found.size > 0) uploads?.add(id, found);
  };
  return (
    <div {...picker.areaProps}>
      <input
        {...picker.inputProps}
        aria-label={`Choose the files of ${pictures(items.length)}`}
        tabIndex={-1}
        className="sr-only"
      />
      <Notice
        tone="warning"
        title={title}
        action={
          <Button size="small" onClick={picker.open}>
            <FolderOpen aria-hidden="true" className="size-4" />
            {items.length === 1 ? 'Choose the file again' : 'Choose the files again'}
          </Button>
        }
      >
        {children}
        {unknown > 0 && ` ${pictures(unknown)} of those you chose belong to none of these.`}
      </Notice>
    </div>
  );
}

const LISTED = 5;

function listed(items: readonly BatchItem[]): string {
  const names = items.slice(0, LISTED).map(({ name }) => `“${name}”`);
  return items.length > LISTED ? `${names.join(', ')} and ${items.length - LISTED} more` : names.join(', ');
}

/** What screen readers are told: at each tenth, and at the end. */
function Announcement({ text, step }: { text: string; step: number | 'end' }) {
  const [told, setTold] = useState({ text: '', step });
  if (told.step !== step) setTold({ text, step });
  return (
    <p role="status" className="sr-only">
      {told.text}
    </p>
  );
}
