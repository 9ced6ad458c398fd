import { useEffect, useMemo } from 'react';
import { useAccounts } from '../../../shared/account/accounts';
import type { MaskDocument } from './mask-document';
import { MaskDraft } from './mask-draft';

/** Milliseconds after a change. */
const SAVE_AFTER_MS = 300;

/** Keeps a mask over a reload. @param subject tells apart what is painted on; null where there is nothing */
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
    void draft.read().then((kept) => {
      // What was painted meanwhile counts.
      if (current && kept !== null && mask.revision === 0) mask.load(kept.pixels, kept.found);
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
