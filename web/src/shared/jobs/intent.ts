import { ApiFailure } from '../http/http';

/** The slowest double click that a system knows takes 900 ms. */
const DOUBLE_CLICK_MS = 1_000;

type Files = Readonly<Record<string, Blob>>;

/** What a user wants made once, over all that is sent for it. */
export interface Intent {
  /** What the server knows it by. */
  readonly key: string;
  readonly input: string;
  readonly files: Files;
  /** When the server took it, in milliseconds of the page's own clock; null while it has not. */
  takenAt: number | null;
}

/**
 * What a submission is meant as: the last intent again, where it asks for the same with the same files (the very same
 * objects) and the last is not taken yet, or was so just now that this may be the second click of a double one.
 */
export function intentOf(last: Intent | null, input: string, files: Files, now: number): Intent {
  const isSame = last !== null && last.input === input && areSame(last.files, files);
  const isOver = last !== null && last.takenAt !== null && now - last.takenAt > DOUBLE_CLICK_MS;
  return isSame && !isOver ? last : { key: crypto.randomUUID(), input, files, takenAt: null };
}

function areSame(one: Files, other: Files): boolean {
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => one[field] === other[field]);
}

/** Whether the server may have taken the request although no answer reached us. */
export const isUncertain = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500);
