import { useRef, useState, type ReactNode } from 'react';
import toast from 'react-hot-toast';
import { useParams } from 'react-router-dom';
import { Download, FolderOpen } from 'lucide-react';
import type { Batch, BatchItem, BatchTool, BatchWithItems } from '#libs/contract/batches.js';
import { useBatchQuery, useDeleteOriginals } from '../../modules/runs/batches/batch-calls';
import { SubmissionProblem } from '../../modules/runs/jobs/submission-problem';
import { summarizeBatch } from '../../modules/runs/lists/run-summary';
import { matchFiles } from '../../modules/runs/state/batch-uploads';
import { useBatchUploads, useBatchView, useUploadState } from '../../modules/runs/state/runs-context';
import { useFilePicker } from '../../modules/submission/files/use-file-picker';
import { useAccount } from '../../shared/account/account-calls';
import { useCredits } from '../../shared/account/read-config';
import { queryKeys } from '../../shared/http/query-keys';
import { formatBytes } from '../../shared/lib/check-file';
import { formatCount } from '../../shared/lib/format';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { summaryOf } from '../../shared/tools/summary-of';
import { Button, buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { BatchGrid } from './batch-grid';
import { uploadOf } from './upload-of';
import { RunHeader } from './run-header';
import { RunPage } from './run-page';

export default function BatchPage() {
  const id = useParams()['id'] ?? '';
  const query = useBatchQuery(id);
  const view = useBatchView(id);
  return (
    <RunPage noun="batch" query={query} queryKey={queryKeys.batches.one(id)}>
      {view === null || view.items === null ? null : (
        <BatchDetails batch={view.batch} items={view.items} originals={view.originals} />
      )}
    </RunPage>
  );
}

interface BatchDetailsProps {
  batch: Batch;
  items: readonly BatchItem[];
  originals: BatchWithItems['originals'] | null;
}

function BatchDetails({ batch, items, originals }: BatchDetailsProps) {
  const { id, zip } = batch;
  const upload = useUploadState(id);
  const uploads = useBatchUploads();
  const account = useAccount().data;
  const list = useRef<HTMLUListElement>(null);
  const run = summarizeBatch(batch);
  const cost = useCostText(batch.tool as BatchTool);
  const { isOpen } = run;
  const missing = items.filter(({ state }) => state === 'missing');
  const refused = missing.filter(({ n }) => upload.refused.has(n));
  const unavailable = missing.filter(
    (item) => uploadOf(item, upload) === 'unavailable' && !upload.refused.has(item.n),
  );
  const resendable = items.filter((item) => item.sendableAgain && uploadOf(item, upload) === 'unavailable');
  const waiting = missing.length - refused.length - unavailable.length;
  return (
    <>
      <RunHeader
        run={run}
        list={list}
        action={
          zip !== null && (
            <a href={sameOriginUrl(zip)} download className={buttonClass('primary')}>
              <Download aria-hidden="true" className="size-4" />
              Download ZIP
            </a>
          )
        }
      >
        <p>
          {run.progress}
          {isOpen && zip !== null && (
            <span className="text-quiet"> The ZIP contains the results so far.</span>
          )}
        </p>
        <ProgressLiveRegion text={run.progress} step={isOpen ? Math.floor(run.percent / 10) : 'end'} />
        {upload.problem !== null && (
          <SubmissionProblem
            error={upload.problem}
            onRetry={() => uploads?.retry(id)}
            note="Sending resumes automatically."
          />
        )}
        {isOpen && unavailable.length > 0 && (
          <ChooseFiles
            id={id}
            items={unavailable}
            title={`${formatCount(unavailable.length, 'picture')} not sent yet`}
          >
            {unavailable.length === 1
              ? `This browser does not have the file of ${listed(unavailable)}. Choose or drop it here, and it is sent.`
              : `This browser does not have the files of ${listed(unavailable)}. Choose or drop them here, all at once, and they are sent.`}
          </ChooseFiles>
        )}
        {resendable.length > 0 && (
          <ChooseFiles
            id={id}
            items={resendable}
            title={`${formatCount(resendable.length, 'picture')} can be sent again`}
          >
            {resendable.length === 1
              ? `The file of ${listed(resendable)} is no longer stored. Choose or drop it here, and it is sent again.`
              : `The files of ${listed(resendable)} are no longer stored. Choose or drop them here, all at once, and they are sent again.`}
            {account?.plan === 'free' && cost}
          </ChooseFiles>
        )}
        {isOpen && refused.length > 0 && (
          <Notice tone="warning" title={`${formatCount(refused.length, 'picture')} cannot be used`}>
            See the list for the reasons. You can leave them out at no cost; the others continue.
          </Notice>
        )}
        {originals !== null && originals.count > 0 && <Originals id={id} originals={originals} />}
        {isOpen && waiting > 0 && upload.problem === null && (
          <p className="text-sm text-quiet">
            {formatCount(waiting, 'picture')} still to be sent. You can leave this page, but keep Pressroom
            open until they are sent; then the rest runs on its own.
          </p>
        )}
      </RunHeader>
      <BatchGrid batch={batch} items={items} upload={upload} list={list} />
    </>
  );
}

/** Says how much storage the originals take, and deletes them after a question. */
function Originals({ id, originals }: { id: string; originals: BatchWithItems['originals'] }) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteOriginals(id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast.success('Originals deleted. The results stay.'),
      onError: ({ message }) => void toast.error(message),
    });
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-sm text-quiet">
      <p>
        {formatCount(originals.count, 'original')}, {formatBytes(originals.bytes)}: kept with the batch, to
        compare and edit the results.
      </p>
      <Button size="small" variant="quiet" aria-expanded={isAsking} onClick={() => setIsAsking(!isAsking)}>
        Delete originals
      </Button>
      {isAsking && (
        <Notice
          tone="warning"
          title="Delete the originals permanently?"
          action={
            <>
              <Button size="small" variant="danger" busy={remove.isPending} onClick={confirm}>
                Delete permanently
              </Button>
              <Button size="small" variant="quiet" onClick={() => setIsAsking(false)}>
                Keep
              </Button>
            </>
          }
        >
          The results stay. Their cut-outs can then only be erased, not restored.
        </Notice>
      )}
    </div>
  );
}

/** Text about the price of running a picture again on the free plan. */
function useCostText(tool: BatchTool): string {
  const credits = useCredits(tool);
  if (summaryOf(tool).plan === 'premium') return ' This takes the premium plan.';
  return !credits
    ? ''
    : ` Each costs ${formatCount(credits, 'credit')}; those of the first try were given back.`;
}

interface ChooseFilesProps {
  id: string;
  items: readonly BatchItem[];
  title: string;
  children: ReactNode;
}

/** Asks for the files of pictures that are stored neither in this browser nor on the server. */
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
        aria-label={`Choose the files of ${formatCount(items.length, 'picture')}`}
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
        {unknown > 0 && ` ${formatCount(unknown, 'chosen picture')} did not match.`}
      </Notice>
    </div>
  );
}

const LISTED = 5;

function listed(items: readonly BatchItem[]): string {
  const names = items.slice(0, LISTED).map(({ name }) => `“${name}”`);
  return items.length > LISTED ? `${names.join(', ')} and ${items.length - LISTED} more` : names.join(', ');
}

function ProgressLiveRegion({ text, step }: { text: string; step: number | 'end' }) {
  const [announced, setAnnounced] = useState({ text: '', step });
  if (announced.step !== step) setAnnounced({ text, step });
  return (
    <p role="status" className="sr-only">
      {announced.text}
    </p>
  );
}
