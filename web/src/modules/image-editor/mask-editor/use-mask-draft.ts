import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useAccounts } from '../../../shared/account/accounts';
import type { MaskDocument } from './mask-document';
import { MaskDraft } from './mask-draft';

const SAVE_AFTER_MS = 300;

/** Saves a mask as a draft and restores it after a reload. @param subject ID of the image; null if there is no image */
export function useMaskDraft(subject: string | null, mask: MaskDocument | null): MaskDraft | null {
  const user = useAccounts().user?.id ?? '';
  const draft = useMemo(
    () => (mask === null || subject === null ? null : new MaskDraft(mask, user, subject)),
    [mask, user, subject],
  );
  useEffect(() => {
    if (mask === null || draft === null) return;
    let current = true;
    let timer = 0;
    const saveNow = () => {
      timer = 0;
      void draft.save();
    };
    const stop = mask.onStep(() => {
      clearTimeout(timer);
      timer = window.setTimeout(saveNow, SAVE_AFTER_MS);
    });
    void draft.read().then((stored) => {
      // If the user has painted before the draft was loaded, don't overwrite the new strokes.
      if (current && stored !== null && mask.revision === 0) mask.load(stored.pixels, stored.found);
    });
    return () => {
      current = false;
      stop();
      clearTimeout(timer);
      if (timer !== 0) saveNow();
    };
  }, [mask, draft]);
  return draft;
}

const never = () => () => undefined;

/** Renders the component after each step of a mask. @returns the mask's revision; -1 if the mask is null */
export const useMaskRevision = (mask: MaskDocument | null): number =>
  useSyncExternalStore(mask?.onStep ?? never, () => mask?.revision ?? -1);
