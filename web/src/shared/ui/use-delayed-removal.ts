import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { showUndo, UNDO_MS } from './undo-toast';

interface DelayedRemoval {
  /** IDs of what is removed, or about to be. */
  removed: ReadonlySet<string>;
  /** Hides something at once and removes it for good when the user can no longer undo it. */
  remove: (id: string, text: string) => void;
}

/** Removal with undo for what the server cannot restore: the request is sent after the time for undo, or on leaving. */
export function useDelayedRemoval(removeForGood: (id: string) => Promise<unknown>): DelayedRemoval {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(removeForGood);
  useEffect(() => {
    latest.current = removeForGood;
  });
  const removals = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; toastId: string }>());

  useEffect(() => {
    const waiting = removals.current;
    const removeAll = () => {
      for (const [id, { timer, toastId }] of waiting) {
        clearTimeout(timer);
        toast.dismiss(toastId);
        latest.current(id).catch(() => undefined);
      }
      waiting.clear();
    };
    window.addEventListener('pagehide', removeAll);
    return () => {
      window.removeEventListener('pagehide', removeAll);
      removeAll();
    };
  }, []);

  const restore = (id: string) => setRemoved((ids) => new Set([...ids].filter((other) => other !== id)));
  const remove = (id: string, text: string) => {
    setRemoved((ids) => new Set([...ids, id]));
    const toastId = showUndo(text, () => {
      const removal = removals.current.get(id);
      // The toast is still fading out after the removal was sent.
      if (removal === undefined) return;
      clearTimeout(removal.timer);
      removals.current.delete(id);
      restore(id);
    });
    const removeNow = async () => {
      removals.current.delete(id);
      // The toast would stay while the pointer is over it.
      toast.dismiss(toastId);
      try {
        await latest.current(id);
      } catch (error) {
        restore(id);
        toast.error(error instanceof Error ? error.message : 'It could not be removed.');
      }
    };
    removals.current.set(id, { timer: setTimeout(() => void removeNow(), UNDO_MS), toastId });
  };
  return { removed, remove };
}
