import { useCallback, useEffect, useRef, useState } from 'react';
import { MAX_SELECTED } from '#libs/contract/creations.js';

export interface Selection {
  /** True while the user is selecting creations. */
  active: boolean;
  /** IDs of the selected creations, in the order of the list. */
  chosen: readonly string[];
  has: (id: string) => boolean;
  start: () => void;
  stop: () => void;
  /**
   * Selects or deselects a creation. Stable.
   * @param range true to do the same for all from the last toggled creation to this
   */
  toggle: (id: string, range: boolean) => void;
  /** Selects the first creations of the list, at most as many as one request may contain. */
  all: () => void;
  none: () => void;
}

/** State of the selection in a list of creations. @param ids IDs of the listed creations, in order */
export function useSelection(ids: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const list = useRef(ids);
  const last = useRef<string | null>(null);
  useEffect(() => {
    list.current = ids;
  });
  const toggle = useCallback((id: string, range: boolean) => {
    const from = range && last.current !== null ? list.current.indexOf(last.current) : -1;
    const to = list.current.indexOf(id);
    const changed = from < 0 ? [id] : list.current.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    setChosen((before) => {
      const next = new Set(before);
      const add = !next.has(id);
      for (const each of changed) {
        if (add) next.add(each);
        else next.delete(each);
      }
      return next;
    });
  }, []);
  const none = () => setChosen(new Set());
  return {
    active: chosen !== null,
    chosen: chosen === null ? [] : ids.filter((id) => chosen.has(id)),
    has: (id) => chosen?.has(id) ?? false,
    start: none,
    stop: () => setChosen(null),
    toggle,
    all: () => setChosen(new Set(ids.slice(0, MAX_SELECTED))),
    none,
  };
}
