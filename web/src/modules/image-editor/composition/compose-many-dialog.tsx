import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useHttp } from '../../../shared/account/use-http';
import { ApiFailure } from '../../../shared/http/http';
import { formatCount } from '../../../shared/lib/format';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { IconButton } from '../../../shared/ui/icon-button';
import { Notice } from '../../../shared/ui/notice';
import { ProgressBar } from '../../../shared/ui/progress-bar';
import { Loading } from '../../../shared/ui/spinner';
import { showUndo } from '../../../shared/ui/undo-toast';
import { useInvalidateCreations } from '../../creations/api/change-creation';
import { useCreation } from '../../creations/api/creation-pages';
import { latestCutOut, useVersions } from '../../creations/versions/versions';
import { useOriginal } from '../../submission/files/use-original';
import { composePicture, undoComposition, type BatchPicture, type Composed } from './compose-many';
import { CompositionFields } from './composition-fields';
import { Preview } from './preview';
import { defaultSettings, type CutOutSettings } from './settings';
import { useComposer, type OpenedCutOut } from './use-composer';

interface ComposeManyDialogProps {
  pictures: readonly BatchPicture[];
  onClose: () => void;
}

interface Failed {
  picture: BatchPicture;
  message: string;
}

/** Numbers of pictures. */
interface Work {
  done: number;
  total: number;
}

/** Applies one background, shadow, frame and format to many cut-outs. Each result is saved as a version. */
export default function ComposeManyDialog({ pictures, onClose }: ComposeManyDialogProps) {
  const [settings, setSettings] = useState<CutOutSettings>(defaultSettings);
  const [picture, setPicture] = useState<File | null>(null);
  const [index, setIndex] = useState(0);
  const { work, failed, start, stop } = useComposeMany();
  const shown = pictures[Math.min(index, pictures.length - 1)];
  const opened = useOpened(shown, picture);
  const apply = async (chosen: readonly BatchPicture[]) => {
    if (await start(chosen, { settings, picture })) onClose();
  };
  return (
    <Dialog label="Background and size" full guarded={work !== null} onClose={onClose}>
      <div className="@container grid gap-5">
        <header className="pr-10">
          <h2 className="text-2xl">Background and size</h2>
          <p className="mt-1 text-sm text-quiet">
            For {formatCount(pictures.length, 'picture')}. Each is saved as a version: the cut-out stays.
          </p>
        </header>
        {opened === null ? (
          <Loading label="Opening the cut-out" />
        ) : opened instanceof Error ? (
          <Notice tone="danger" title="The cut-out could not be opened">
            {opened.message}
          </Notice>
        ) : (
          <div className="grid gap-6 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="min-w-0">
              <Preview opened={opened} settings={settings} picture={picture} />
              {pictures.length > 1 && (
                <div className="mt-2 flex items-center gap-2">
                  <IconButton
                    icon={ChevronLeft}
                    label="Previous picture"
                    onClick={() => setIndex((index + pictures.length - 1) % pictures.length)}
                  />
                  <p role="status" className="min-w-0 flex-1 truncate text-center text-sm text-quiet">
                    {index + 1} of {pictures.length}: {shown?.name}
                  </p>
                  <IconButton
                    icon={ChevronRight}
                    label="Next picture"
                    onClick={() => setIndex((index + 1) % pictures.length)}
                  />
                </div>
              )}
            </div>
            <div className="grid min-w-0 grid-cols-1 content-start gap-6">
              <CompositionFields
                settings={settings}
                change={(changed) => setSettings((before) => ({ ...before, ...changed }))}
                opened={opened}
                picture={picture}
                onPicture={setPicture}
              />
              {failed.length > 0 && (
                <Notice
                  tone="danger"
                  title={`${formatCount(failed.length, 'picture')} could not be changed`}
                  onRetry={work === null ? () => apply(failed.map((one) => one.picture)) : undefined}
                >
                  {failed
                    .slice(0, 3)
                    .map((one) => `“${one.picture.name}”: ${one.message}`)
                    .join(' ')}
                </Notice>
              )}
              {work !== null ? (
                <div className="grid gap-3">
                  <ProgressBar
                    label="Progress of the pictures"
                    percent={(100 * work.done) / work.total}
                    kind="measured"
                  />
                  <p className="text-sm">
                    {work.done} of {work.total} saved. Keep this page open.
                  </p>
                  <div>
                    <Button onClick={stop}>Stop</Button>
                  </div>
                </div>
              ) : (
                <div className="flex flex-wrap gap-2">
                  <Button variant="primary" onClick={() => void apply(pictures)}>
                    Apply to {formatCount(pictures.length, 'picture')}
                  </Button>
                  <Button variant="quiet" onClick={() => setSettings(defaultSettings)}>
                    Start over
                  </Button>
                </div>
              )}
            </div>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Opens the cut-out of a picture for the preview; null while it loads. */
function useOpened(shown: BatchPicture | undefined, picture: File | null): OpenedCutOut | Error | null {
  const id = shown?.creationId ?? null;
  const creation = useCreation(id);
  const versions = useVersions(id);
  const cutOut = latestCutOut(versions.data ?? []);
  const original = useOriginal(creation.data);
  const opened = useComposer(cutOut?.content ?? undefined, original, picture);
  const error = creation.error ?? versions.error;
  if (error !== null) return error;
  if (versions.data !== undefined && cutOut === undefined) return new Error('This picture has no cut-out.');
  return opened;
}

/** The failures after which other pictures would fail too. */
const finalCodes = new Set(['STORAGE_FULL', 'UNAUTHENTICATED', 'UNREACHABLE', 'DISK_FULL']);

/** Composes pictures one after the other. */
function useComposeMany() {
  const http = useHttp();
  const invalidateCreations = useInvalidateCreations();
  const [work, setWork] = useState<Work | null>(null);
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const undo = async (composed: readonly Composed[]) => {
    try {
      for (const one of composed) await undoComposition(http, one);
      toast.success(`${formatCount(composed.length, 'picture')} as before`);
    } catch (error) {
      toast.error((error as Error).message);
    } finally {
      invalidateCreations(composed.map(({ creationId }) => creationId));
    }
  };

  /** @returns true if all pictures were composed */
  const start = async (
    pictures: readonly BatchPicture[],
    composition: Parameters<typeof composePicture>[2],
  ): Promise<boolean> => {
    const { signal } = (controller.current = new AbortController());
    const composed: Composed[] = [];
    const problems: Failed[] = [];
    setFailed([]);
    setWork({ done: 0, total: pictures.length });
    for (const [at, picture] of pictures.entries()) {
      try {
        composed.push(await composePicture(http, picture, composition, crypto.randomUUID(), signal));
      } catch (error) {
        if (signal.aborted) break;
        const { message } = error as Error;
        const isFinal = error instanceof ApiFailure && finalCodes.has(error.code);
        problems.push(
          ...(isFinal ? pictures.slice(at) : [picture]).map((one) => ({ picture: one, message })),
        );
        if (isFinal) break;
      }
      setWork({ done: composed.length, total: pictures.length });
    }
    setWork(null);
    setFailed(problems);
    if (composed.length > 0) {
      invalidateCreations(composed.map(({ creationId }) => creationId));
      showUndo(`${formatCount(composed.length, 'picture')} changed`, () => void undo(composed));
    }
    return problems.length === 0 && !signal.aborted;
  };
  return { work, failed, start, stop: () => controller.current?.abort() };
}
