import { useEffect, useEffectEvent, useState } from 'react';
import { fetchFile } from '../../../shared/http/http';
import { createComposer, type Composer, type ComposerAnswers } from './composer';

export type OpenedCutOut = ComposerAnswers['open'] & { composer: Composer };

type State = { url: string; original: Blob | null } & ({ opened: OpenedCutOut } | { error: string });

/**
 * Opens a cut-out in a worker.
 * @param url undefined while it is not known
 * @param original null if the original is not stored, undefined while it loads
 */
export function useComposer(
  url: string | undefined,
  original: Blob | null | undefined,
  picture: File | null,
): OpenedCutOut | Error | null {
  const [state, setState] = useState<State | null>(null);
  const givePicture = useEffectEvent(async (composer: Composer) => {
    if (picture !== null) await composer.ask<'picture'>({ kind: 'picture', picture });
  });
  useEffect(() => {
    if (original === undefined || url === undefined) return;
    const controller = new AbortController();
    let composer: Composer | undefined;
    const open = async () => {
      if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined')
        throw new Error(
          'This browser is too old for this feature. Update it, or download the original cut-out.',
        );
      const cutOut = await fetchFile(url, controller.signal);
      composer = createComposer();
      const answer = await composer.ask<'open'>({ kind: 'open', cutOut, original });
      await givePicture(composer);
      if (!controller.signal.aborted) setState({ url, original, opened: { ...answer, composer } });
    };
    open().catch((error: unknown) => {
      if (controller.signal.aborted) return;
      setState({ url, original, error: error instanceof Error ? error.message : String(error) });
    });
    return () => {
      controller.abort();
      composer?.close();
    };
  }, [url, original]);
  if (state === null || state.url !== url || state.original !== original) return null;
  return 'opened' in state ? state.opened : new Error(state.error);
}
