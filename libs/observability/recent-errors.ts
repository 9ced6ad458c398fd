export interface RecentError {
  /** ISO 8601. */
  at: string;
  message: string;
}

const KEPT = 20;
const MAX_LENGTH = 500;
/** Pino's level of warnings. */
const WARNING = 40;

const kept: RecentError[] = [];

/** The last warnings and errors that this process logged, the newest first. */
export const recentErrors = (): RecentError[] => [...kept];

/** Keeps a line of the log, if it is a warning or an error. @param given the arguments of the logger's method */
export function keepRecentError(level: number, given: unknown[]): void {
  if (level < WARNING) return;
  const message = given.map(textOf).filter(Boolean).join(': ').slice(0, MAX_LENGTH);
  if (!message) return;
  kept.unshift({ at: new Date().toISOString(), message });
  kept.length = Math.min(kept.length, KEPT);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.message;
  const { err } = (value ?? {}) as { err?: unknown };
  return err instanceof Error ? err.message : '';
}
