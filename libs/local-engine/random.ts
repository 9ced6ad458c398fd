/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From `from` up to `to`. */
  between: (from: number, to: number) => number;
  pick: <T>(list: readonly [T, ...T[]]) => T;
  /** True with the given probability. */
  chance: (probability: number) => boolean;
}

/** Whole numbers from 0 to 2³² - 1: hashes the seed with FNV-1a and continues with mulberry32. */
export function integersFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

export function randomFrom(seed: string): Random {
  const integer = integersFrom(seed);
  const next = () => integer() / 2 ** 32;
  return {
    between: (from, to) => from + next() * (to - from),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    chance: (probability) => next() < probability,
  };
}

export type Shuffle = <T>(list: readonly T[]) => T[];

/** Shuffles that are the same for the same seed. */
export function shuffleFrom(seed: string): Shuffle {
  const integer = integersFrom(seed);
  return (list) => {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = integer() % (last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  };
}

/** A seed for the work of one job, the same for each of its attempts. @param id a random UUID */
export const seedOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16);
