import { useState } from 'react';
import { MAX_SELECTED } from '#libs/contract/creations.js';

export interface Selection {
  /** Whether creations are being chosen. */
  active: boolean;
  /** Those of the list that are chosen, in its order. */
  chosen: string[];
  has: (id: string) => boolean;
  start: () => void;
  stop: () => void;
  /** @param range whether all from the last one that was changed on change too */
  toggle: (id: string, range: boolean) => void;
  /** The first of the list, as many as one request takes. */
  all: () => void;
  none: () => void;
}

/** Which creations of a list its user chose. @param ids those of the list */
export function useSelection(ids: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const none = () => setChosen(new Set());
  return {
    active: chosen !== null,
    chosen: chosen === null ? [] : ids.filter((id) => chosen.has(id)),
    has: (id) => chosen?.has(id) ?? false,
    start: none,
    stop: () => setChosen(null),
    toggle: (id, range) => {
      const from = range && last !== null ? ids.indexOf(last) : -1;
      const to = ids.indexOf(id);
      const changed = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
      setLast(id);
      setChosen((before) => {
        const next = new Set(before);
        const add = !next.has(id);
        for (const each of changed) {
          if (add) next.add(each);
          else next.delete(each);
        }
        return next;
      });
    },
    all: () => setChosen(new Set(ids.slice(0, MAX_SELECTED))),
    none,
  };
}
