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
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  useEffect(() => {
    const waiting = timers.current;
    const removeAll = () => {
      for (const [id, timer] of waiting) {
        clearTimeout(timer);
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
    const removeNow = async () => {
      timers.current.delete(id);
      try {
        await latest.current(id);
      } catch (error) {
        restore(id);
        toast.error(error instanceof Error ? error.message : 'It could not be removed.');
      }
    };
    timers.current.set(
      id,
      setTimeout(() => void removeNow(), UNDO_MS),
    );
    showUndo(text, () => {
      // The page may have been left, and the removal sent.
      if (!timers.current.has(id)) return;
      clearTimeout(timers.current.get(id));
      timers.current.delete(id);
      restore(id);
    });
  };
  return { removed, remove };
}
