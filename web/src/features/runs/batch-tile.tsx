import { useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import clsx from 'clsx';
import { FolderOpen, RotateCcw, TriangleAlert, Upload, X } from 'lucide-react';
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
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { IconButton } from '../../shared/ui/icon-button';
import { Spinner } from '../../shared/ui/spinner';
import { titleOfItem } from './finished-items';
import type { ItemUpload } from './upload-of';

interface BatchTileProps {
  batch: Batch;
  item: BatchItem;
  upload: ItemUpload;
  /** Error message if the server rejected the file. */
  refused: string | undefined;
  isSelected: boolean;
  onSelect: (creationId: string, range: boolean) => void;
  onOpen: (n: number) => void;
}

/** Tile of a picture in the grid of a batch. */
export function BatchTile({ batch, item, upload, refused, isSelected, onSelect, onOpen }: BatchTileProps) {
  const { n, state, creationId, thumbnail, content, warnings } = item;
  const row = useFocusKeeper<HTMLLIElement>();
  const title = titleOfItem(item);
  const isSentAgain = item.sendableAgain && upload !== 'unavailable';
  const shown = refused !== undefined ? 'failed' : isSentAgain ? 'missing' : state;
  const text = refused ?? itemText(item, upload);
  const image = thumbnail ?? content;
  return (
    <li
      ref={row}
      tabIndex={-1}
      className={clsx(
        'panel relative grid content-start overflow-hidden',
        isSelected && 'outline-2 outline-accent',
      )}
    >
      {image !== null && creationId !== null ? (
        <>
          <button
            type="button"
            aria-label={`Open ${title}`}
            onClick={() => onOpen(n)}
            className="block outline-offset-[-2px]"
          >
            <img
              src={sameOriginUrl(image)}
              alt=""
              loading="lazy"
              className="checker aspect-square w-full object-contain"
            />
          </button>
          {/* The label makes the target of the small box 44 pixels large. */}
          <label className="absolute top-0 left-0 grid size-11 place-items-center">
            <span className="sr-only">Select {title}</span>
            <input
              type="checkbox"
              checked={isSelected}
              onChange={({ nativeEvent }) =>
                onSelect(creationId, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
              className="size-5 accent-[var(--accent)]"
            />
          </label>
          {warnings.length > 0 && (
            <span className="absolute top-2 right-2 flex items-center gap-1 rounded-control bg-raised px-1.5 py-0.5 text-xs font-semibold text-warning">
              <TriangleAlert aria-hidden="true" className="size-3.5" />
              Check
            </span>
          )}
        </>
      ) : (
        <span aria-hidden="true" className="grid aspect-square place-items-center bg-sunken">
          <ItemIcon state={shown} upload={upload} className="size-6" />
        </span>
      )}
      <div className="flex min-h-11 items-center gap-1 px-3 py-1">
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-semibold" title={title}>
            {title}
          </p>
          <p className="flex items-start gap-1.5 text-xs text-quiet">
            <ItemIcon state={shown} upload={upload} className="mt-0.5 size-3.5" />
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </p>
        </div>
        <TileActions batch={batch} item={item} title={title} upload={upload} />
      </div>
    </li>
  );
}

type TileActionsProps = Pick<BatchTileProps, 'batch' | 'item' | 'upload'> & { title: string };

function TileActions({ batch, item, title, upload }: TileActionsProps) {
  const { n, state, error, jobId } = item;
  const leaveOut = useLeaveOut(batch.id);
  const retry = useRetryJob();
  const queries = useQueryClient();
  const canLeaveOut = batch.status !== 'cancelled' && state !== 'succeeded' && state !== 'left-out';
  const showError = { onError: ({ message }: Error) => void toast.error(message) };
  return (
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
  upload: ItemUpload;
  className: string;
}

function ItemIcon({ state, upload, className }: ItemIconProps) {
  if (state !== 'missing')
    return <StateIcon state={state === 'left-out' ? 'cancelled' : state} className={className} />;
  if (upload === 'sending') return <Spinner className={className} />;
  return (
    <Upload
      aria-hidden="true"
      className={clsx(className, 'shrink-0', upload === 'unavailable' && 'text-warning')}
    />
  );
}
