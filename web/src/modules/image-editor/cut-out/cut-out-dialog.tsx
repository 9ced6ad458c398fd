import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import toast from 'react-hot-toast';
import { IMAGE_MAX_BYTES } from '#libs/contract/limits.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import type { Creation } from '#libs/contract/creations.js';
import { latestCutOut, useSaveVersion, useVersions } from '../../creations/versions/versions';
import { ApiFailure } from '../../../shared/http/http';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { useObjectUrl } from '../../../shared/lib/use-object-url';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import { MaskEditor } from '../mask-editor/mask-editor';
import { runMaskWorker } from '../mask-editor/run-mask-worker';
import { useMaskDraft, useMaskRevision } from '../mask-editor/use-mask-draft';
import { cutOutSubject, useOtherDraft } from './cut-out-drafts';
import { useKeepSent } from '../../runs/jobs/sent-images';
import { useOriginal } from '../../submission/files/use-original';
import { useCutOut, type CutOut } from './use-cut-out';

interface CutOutDialogProps {
  creation: Creation;
  onClose: () => void;
}

/** The editor that corrects a cut-out and saves the result as a version. Unsaved changes are stored on this device. */
export default function CutOutDialog({ creation, onClose }: CutOutDialogProps) {
  const versions = useVersions(creation.id);
  /** The edited and the current version at the time the editor opened; later versions don't replace them. */
  const [opened, setOpened] = useState<{ source: CreationVersion; base: CreationVersion }>();
  const source = latestCutOut(versions.data ?? []);
  const base = currentOf(versions.data);
  if (opened === undefined && !versions.isFetching && source !== undefined && base !== undefined)
    setOpened({ source, base });
  const stored = useOriginal(creation);
  const [chosen, setChosen] = useState<File | null>(null);
  const [changed, setChanged] = useState(false);
  const { cutOut, problem, retry } = useCutOut(opened?.source, chosen ?? stored);
  useKeepOriginal(creation, cutOut !== null && cutOut.original === chosen ? chosen : null);
  const failure = problem ?? (opened === undefined ? versions.failureReason : null);
  return (
    <Dialog label="Edit cut-out" full guarded={changed} onClose={onClose}>
      <div className="flex min-h-full flex-col gap-3">
        <header className="pr-10">
          <h2 className="text-2xl">Edit cut-out</h2>
          <p className="mt-1 hidden text-sm text-quiet sm:block">
            Erase what should go and restore what is missing. Saving is free and keeps earlier versions.
          </p>
        </header>
        {cutOut !== null && opened !== undefined ? (
          <OpenCutOut
            key={opened.source.id}
            creation={creation}
            {...opened}
            cutOut={cutOut}
            chosen={chosen}
            onOriginal={setChosen}
            onChanged={setChanged}
            onSource={(source) => setOpened({ ...opened, source })}
            onClose={onClose}
          />
        ) : failure !== null ? (
          <div>
            <Notice
              tone="danger"
              title="The cut-out could not be opened"
              onRetry={problem !== null ? retry : versions.refetch}
            >
              {failure.message}
            </Notice>
          </div>
        ) : (
          <Loading label="Opening the cut-out" />
        )}
      </div>
    </Dialog>
  );
}

/** Stores an original that the user chose, so that "Background and size" and the next edit have it too. */
function useKeepOriginal({ jobId }: Creation, original: File | null): void {
  const keep = useKeepSent();
  useEffect(() => {
    if (jobId !== null && original !== null)
      void keep({ jobId, tool: 'remove-image-background', image: original, input: {}, mask: null });
  }, [keep, jobId, original]);
}

interface OpenCutOutProps extends CutOutDialogProps {
  source: CreationVersion;
  /** The current version at the time the editor opened, to detect conflicts when saving. */
  base: CreationVersion;
  cutOut: CutOut;
  chosen: File | null;
  onOriginal: (file: File | null) => void;
  onChanged: (changed: boolean) => void;
  onSource: (version: CreationVersion) => void;
}

function OpenCutOut(props: OpenCutOutProps) {
  const { creation, source, base, cutOut, chosen, onOriginal, onChanged, onSource, onClose } = props;
  const { file, mask, original, colours } = cutOut;
  const draft = useMaskDraft(cutOutSubject(creation.id, source.id), mask);
  const revision = useMaskRevision(mask);
  const [hasBox, setHasBox] = useState(false);
  const changed = hasBox || mask.canUndo || mask.canRedo;
  useEffect(() => {
    onChanged(changed);
    return () => onChanged(false);
  }, [onChanged, changed]);
  const picture = useObjectUrl(original ?? file);
  const coloursUrl = useObjectUrl(colours);
  const versions = useVersions(creation.id);
  const saving = useSaveVersion(creation.id);
  const [composing, setComposing] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  /** The last composed file. A retry with an unchanged mask sends the same file, and so gets the same idempotency key. */
  const composed = useRef<{ revision: number; image: Blob }>(null);

  const save = async (onto: string) => {
    setProblem(null);
    setComposing(true);
    try {
      const { revision, pixels } = mask;
      if (composed.current?.revision !== revision) {
        const image = await runMaskWorker({
          ...{ kind: 'compose-cut-out', cutOut: file, original, pixels, maxBytes: IMAGE_MAX_BYTES },
        });
        composed.current = { revision, image };
      }
      const { image } = composed.current;
      await saving.mutateAsync({ image, label: 'Cut-out by hand', base: onto, cutOut: true });
      await draft?.drop();
      toast.success('Saved as a new version');
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setComposing(false);
    }
  };
  const isConflict = problem instanceof ApiFailure && problem.code === 'VERSION_CONFLICT';
  const newest = currentOf(versions.data);
  const other = useOtherDraft(creation.id, source.id, versions.data);

  const undoOriginal = ({ key, ctrlKey, metaKey, shiftKey, defaultPrevented }: KeyboardEvent) => {
    const isUndo = key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey;
    if (isUndo && !defaultPrevented && chosen !== null && !mask.canUndo) onOriginal(null);
  };
  return (
    // The keys come from the editor and the buttons around it.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex flex-1 flex-col gap-3" onKeyDown={undoOriginal}>
      <div className="grid gap-3 empty:hidden">
        {other.version !== null && (
          <OtherDraftNotice
            version={other.version}
            onContinue={() => other.version !== null && onSource(other.version)}
            onDiscard={other.discard}
          />
        )}
        {original === null && <NoOriginalNotice refused={chosen !== null} onChoose={onOriginal} />}
        {isConflict ? (
          <ConflictNotice
            newest={newest !== undefined && newest.id !== base.id ? newest : null}
            saving={composing}
            onSave={(onto) => void save(onto)}
          />
        ) : (
          problem !== null && (
            <Notice tone="danger" title="Not saved">
              {problem.message}
            </Notice>
          )
        )}
      </div>
      {picture === null ? (
        <span />
      ) : (
        <MaskEditor
          mask={mask}
          purpose="keep"
          picture={picture}
          colours={coloursUrl}
          canAdd={original !== null}
          label="Paint what to keep and what to remove"
          onBox={setHasBox}
          fills
        />
      )}
      <footer className="flex flex-wrap items-center justify-end gap-2 sticky -bottom-4 -mb-4 border-t border-line bg-raised pt-3 pb-4 sm:-bottom-6 sm:-mb-6 sm:pb-6">
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
        <Button
          variant="primary"
          busy={composing}
          disabled={revision <= 0}
          onClick={() => void save(base.id)}
        >
          {composing ? 'Saving' : 'Save as version'}
        </Button>
      </footer>
    </div>
  );
}

const currentOf = (versions: readonly CreationVersion[] = []) => versions.find(({ current }) => current);

interface OtherDraftProps {
  version: CreationVersion;
  onContinue: () => void;
  onDiscard: () => void;
}

/** Notice that this device has unsaved changes to another version, which the user can continue or discard. */
function OtherDraftNotice({ version: { number, label }, onContinue, onDiscard }: OtherDraftProps) {
  return (
    <Notice
      tone="note"
      title="You have unsaved changes"
      action={
        <>
          <Button size="small" onClick={onContinue}>
            Continue editing
          </Button>
          <Button size="small" variant="quiet" onClick={onDiscard}>
            Discard changes
          </Button>
        </>
      }
    >
      They belong to another version: {number}, “{label}”.
    </Notice>
  );
}

/** Asks for the original file: without the original, removed parts can't be restored. */
function NoOriginalNotice({ refused, onChoose }: { refused: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Notice
      tone="note"
      title="Without the original, you can only erase"
      action={
        <>
          <Button size="small" onClick={() => input.current?.click()}>
            Choose the original
          </Button>
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label="The original picture"
            tabIndex={-1}
            className="sr-only"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) onChoose(file);
              currentTarget.value = '';
            }}
          />
        </>
      }
    >
      {refused
        ? 'This picture has a different size than the cut-out. Choose the original.'
        : 'The original is no longer stored. If you have it, choose it to restore parts of it.'}
    </Notice>
  );
}

interface ConflictProps {
  /** The version that another tab or device saved; null until it is loaded. */
  newest: CreationVersion | null;
  saving: boolean;
  onSave: (onto: string) => void;
}

/** Shown if another tab or device saved first. Both versions are kept; the user chooses the current one. */
function ConflictNotice({ newest, saving, onSave }: ConflictProps) {
  const [showsOther, setShowsOther] = useState(false);
  return (
    <div className="grid gap-3">
      <Notice
        tone="warning"
        title="This cut-out was changed elsewhere"
        action={
          <>
            <Button
              size="small"
              busy={saving || newest === null}
              onClick={() => newest !== null && onSave(newest.id)}
            >
              Save mine as newest
            </Button>
            <Button
              size="small"
              variant="quiet"
              aria-expanded={showsOther}
              disabled={newest === null}
              onClick={() => setShowsOther(!showsOther)}
            >
              {showsOther ? 'Hide other version' : 'Show other version'}
            </Button>
          </>
        }
      >
        Nothing is lost. Both versions are kept.
      </Notice>
      {showsOther && newest !== null && (
        <img
          src={sameOriginUrl(newest.content!)}
          alt={`The other version: ${newest.label}`}
          className="checker mx-auto max-h-[30dvh] max-w-full rounded-control"
        />
      )}
    </div>
  );
}
