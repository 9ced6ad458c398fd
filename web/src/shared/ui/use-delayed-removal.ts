import { useCallback, useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { showUndo, UNDO_MS } from './undo-toast';

interface DelayedRemoval {
  /** IDs of what the user has removed and the server still has. */
  removed: ReadonlySet<string>;
  /** Hides something at once and removes it for good when the user can no longer undo it. */
  remove: (id: string, text: string) => void;
  /** Removes for good what the user could still undo. */
  removeAll: () => void;
}

/**
 * Removal with undo for what the server cannot restore: the request is sent after the time for undo, or on leaving.
 * @param removeForGood resolves when the list no longer has it
 */
export function useDelayedRemoval(removeForGood: (id: string) => Promise<unknown>): DelayedRemoval {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(removeForGood);
  useEffect(() => {
    latest.current = removeForGood;
  });
  const waiting = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; toastId: string }>());

  /** Ends the time for undo. @returns false if it has ended before */
  const stopWaiting = useCallback((id: string): boolean => {
    const removal = waiting.current.get(id);
    if (removal === undefined) return false;
    waiting.current.delete(id);
    clearTimeout(removal.timer);
    // The toast would stay while the pointer is over it.
    toast.dismiss(removal.toastId);
    return true;
  }, []);
  const show = useCallback(
    (id: string) => setRemoved((ids) => new Set([...ids].filter((other) => other !== id))),
    [],
  );
  const removeNow = useCallback(
    async (id: string) => {
      stopWaiting(id);
      try {
        await latest.current(id);
      } catch (error) {
        toast.error(error instanceof Error ? error.message : 'It could not be removed.');
      }
      // The same file, added again, has the same ID.
      show(id);
    },
    [stopWaiting, show],
  );
  const removeAll = useCallback(() => {
    for (const id of [...waiting.current.keys()]) void removeNow(id);
  }, [removeNow]);

  useEffect(() => {
    window.addEventListener('pagehide', removeAll);
    return () => {
      window.removeEventListener('pagehide', removeAll);
      removeAll();
    };
  }, [removeAll]);

  const remove = (id: string, text: string) => {
    setRemoved((ids) => new Set([...ids, id]));
    const toastId = showUndo(text, () => {
      if (stopWaiting(id)) show(id);
    });
    waiting.current.set(id, { timer: setTimeout(() => void removeNow(id), UNDO_MS), toastId });
  };
  return { removed, remove, removeAll };
}
