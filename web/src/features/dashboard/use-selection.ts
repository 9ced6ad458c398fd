import { useCallback, useEffect, useRef, useState } from 'react';
import { MAX_SELECTED } from '#libs/contract/creations.js';

export interface Selection {
  /** Whether the user is selecting creations. */
  active: boolean;
  /** The selected creations, in the order of the list. */
  chosen: readonly string[];
  has: (id: string) => boolean;
  start: () => void;
  stop: () => void;
  /** A stable function. @param range whether all creations since the last changed one change too */
  toggle: (id: string, range: boolean) => void;
  /** Selects the first creations of the list, up to the limit of a request. */
  all: () => void;
  none: () => void;
}

/** The selection in a list of creations. @param ids the creations of the list */
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
