import { useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import { FolderOpen, Image, RotateCcw, Upload, X } from 'lucide-react';
import type { Batch, BatchItem } from '#libs/contract/batches.js';
import { useLeaveOut } from '../../modules/runs/batches/batch-calls';
import { itemText } from '../../modules/runs/batches/batch-text';
import { useBatchUploads } from '../../modules/runs/state/runs-context';
import { checkFile } from '../../shared/lib/check-file';
import { useFilePicker } from '../../modules/submission/files/use-file-picker';
import { queryKeys } from '../../shared/http/query-keys';
import { useRetryJob } from '../../modules/runs/jobs/job-calls';
import { useFocusKeeper } from '../../shared/lib/use-focus-keeper';
import { canRetry, StateIcon } from '../../modules/runs/jobs/job-status';
import { paths } from '../../shared/paths';
import { IconButton } from '../../shared/ui/icon-button';
import { RowThumbnail } from '../../shared/ui/row-thumbnail';
import { Spinner } from '../../shared/ui/spinner';

interface BatchItemRowProps {
  batch: Batch;
  item: BatchItem;
  /** State of the file in this tab: being uploaded, stored in the browser for upload, or unavailable. */
  upload: 'sending' | 'stored' | 'unavailable';
  /** Error message if the server rejected the file. */
  refused: string | undefined;
}

export function BatchItemRow({ batch, item, upload, refused }: BatchItemRowProps) {
  const { n, name, state, error, jobId } = item;
  const leaveOut = useLeaveOut(batch.id);
  const retry = useRetryJob();
  const queries = useQueryClient();
  const row = useFocusKeeper<HTMLLIElement>();
  const title = name || `Picture ${n}`;
  const canLeaveOut = batch.status !== 'cancelled' && state !== 'succeeded' && state !== 'left-out';
  const isSentAgain = item.sendableAgain && upload !== 'unavailable';
  const showError = { onError: ({ message }: Error) => void toast.error(message) };
  return (
    <li
      ref={row}
      tabIndex={-1}
      className="flex items-center gap-3 border-b border-line px-2 py-2 sm:gap-4 sm:px-4"
    >
      <RowThumbnail icon={Image} imageUrl={item.thumbnail} />
      <div className="min-w-0 flex-1">
        <p className="truncate" title={title}>
          {item.creationId === null ? (
            title
          ) : (
            <Link
              to={paths.creation(item.creationId)}
              className="underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {title}
              <span className="sr-only"> (opens the result)</span>
            </Link>
          )}
        </p>
        <p className="flex items-center gap-1.5 text-sm text-quiet">
          <ItemIcon
            state={refused !== undefined ? 'failed' : isSentAgain ? 'missing' : state}
            upload={upload}
          />
          <span className="min-w-0 wrap-anywhere">{refused ?? itemText(item, upload)}</span>
        </p>
      </div>
      <div className="-mr-2 flex shrink-0">
        {batch.status !== 'cancelled' &&
          canRetry({ status: state, error }) &&
          !item.sendableAgain &&
          jobId !== null && (
            <IconButton
              icon={RotateCcw}
              label={`Try again: ${title}`}
              busy={retry.isPending}
              onClick={() =>
                retry.mutate(jobId, {
                  ...showError,
                  onSettled: () =>
                    void queries.invalidateQueries({ queryKey: queryKeys.batches.one(batch.id) }),
                })
              }
            />
          )}
        {item.sendableAgain && (
          <ChooseFileAction batchId={batch.id} n={n} title={title} busy={upload === 'sending'} />
        )}
        {canLeaveOut && (
          <IconButton
            icon={X}
            label={`Leave out: ${title}`}
            busy={leaveOut.isPending}
            onClick={() => leaveOut.mutate(n, showError)}
          />
        )}
      </div>
    </li>
  );
}

interface ChooseFileActionProps {
  batchId: string;
  n: number;
  title: string;
  busy: boolean;
}

/** Button to choose a picture's file and upload it again, after the server deleted its copy. */
function ChooseFileAction({ batchId, n, title, busy }: ChooseFileActionProps) {
  const uploads = useBatchUploads();
  const picker = useFilePicker({
    kind: 'image',
    onPick: (file) => {
      const problem = checkFile('image', file);
      if (problem === null) uploads?.add(batchId, new Map([[n, file]]));
      else toast.error(problem);
    },
  });
  const label = `Choose the file again: ${title}`;
  return (
    <>
      <input {...picker.inputProps} aria-label={label} tabIndex={-1} className="sr-only" />
      <IconButton icon={FolderOpen} label={label} busy={busy} onClick={picker.open} />
    </>
  );
}

interface ItemIconProps {
  state: BatchItem['state'];
  upload: BatchItemRowProps['upload'];
}

function ItemIcon({ state, upload }: ItemIconProps) {
  if (state !== 'missing') return <StateIcon state={state === 'left-out' ? 'cancelled' : state} />;
  if (upload === 'sending') return <Spinner />;
  return (
    <Upload
      aria-hidden="true"
      className={`size-4 shrink-0 ${upload === 'unavailable' ? 'text-warning' : ''}`}
    />
  );
}
