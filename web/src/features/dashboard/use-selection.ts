import { useCallback, useEffect, useRef, useState } from 'react';
import { MAX_SELECTED } from '#libs/contract/creations.js';

export interface Selection {
  /** Whether creations are being chosen. */
  active: boolean;
  /** Those of the list that are chosen, in its order. */
  chosen: readonly string[];
  has: (id: string) => boolean;
  start: () => void;
  stop: () => void;
  /** It stays the same function. @param range whether all from the last one that was changed on change too */
  toggle: (id: string, range: boolean) => void;
  /** The first of the list, as many as one request takes. */
  all: () => void;
  none: () => void;
}

/** Which creations of a list its user chose. @param ids those of the list */
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
