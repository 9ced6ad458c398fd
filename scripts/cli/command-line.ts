import { InvalidArgumentError, Option } from 'commander';
import { AppError } from '#libs/contract/errors.js';
import type { Act } from '#libs/operators/audited-actions.js';

/** The input and output of a command; tests pass their own. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  /** The name of who runs the command, and the reason, for the audit log. */
  operator?: string;
  reason?: string;
  write(text: string): void;
  writeError(text: string): void;
  /** Takes files; by default the standard output. */
  output?: NodeJS.WritableStream;
}

export const actOf = ({ operator = 'unknown', reason }: Terminal): Act => ({
  operator: { name: operator },
  reason,
});

export interface Output {
  json?: boolean;
}

export const asJson = () => new Option('--json', 'answer in JSON');

/** Writes a value as JSON if the user asked for it, else as text. */
export function write(terminal: Terminal, { json }: Output, value: unknown, toText: () => string): void {
  terminal.write(json ? `${JSON.stringify(value, null, 2)}\n` : toText());
}

/** Says that a list has more, in the standard error so that `--json` stays JSON. @param what such as "20 users" */
export const writeMore = (terminal: Terminal, what: string, cursor: string | number): void =>
  terminal.writeError(`There are more than these ${what}: use --limit, a filter or --cursor ${cursor}.\n`);

/** The option `--cursor`. @param what such as "users" */
export const afterCursor = (what: string) =>
  new Option('--cursor <cursor>', `goes on after the last ${what} that were listed`);

/** Parses a whole number from 1 to `max`. */
export const wholeNumber = (max: number) => (text: string) => {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
};

/** Parses the start of a day in UTC. */
export function day(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  // A day that the month does not have becomes another one.
  const isDay = /^[1-9]\d{3}-/.test(text) && !Number.isNaN(date.getTime());
  if (isDay && date.toISOString().startsWith(`${text}T`)) return date;
  throw new InvalidArgumentError('It must be a day such as 2026-03-31.');
}

/** The option `--between` with two times. @param what such as "jobs created" */
export const between = (what: string) =>
  new Option(
    '--between <times...>',
    `only ${what} from the first to the second time, such as 2026-11-27T22:00 2026-11-28T06:00 (UTC)`,
  );

/** Parses the two times of {@link between}; without an offset they are in UTC. @throws AppError VALIDATION_FAILED */
export function timesOf(times: string[]): { from: string; to: string } {
  const [from, to] = times.map(parseTime);
  if (times.length !== 2 || !from || !to)
    throw new AppError(
      'VALIDATION_FAILED',
      'Give two times that exist, such as --between 2026-11-27T22:00 2026-11-28T06:00.',
    );
  if (from >= to)
    throw new AppError(
      'VALIDATION_FAILED',
      'Give the earlier time first: --between is from the first to the second.',
    );
  return { from: from.toISOString(), to: to.toISOString() };
}

/** Null for what is no time, or a day that its month does not have. */
function parseTime(text: string): Date | null {
  const [, date, time = 'T00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)([T ][\d:.]+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  const parsed = new Date(`${date}${time}${offset}`);
  const isDay = date !== undefined && new Date(`${date}T00:00Z`).getUTCDate() === Number(date.slice(8));
  // The database knows no year 0, which 0001 can be in UTC, nor 10000.
  const isKnown = !Number.isNaN(parsed.getTime()) && /^[1-9]\d{3}-/.test(parsed.toISOString());
  return isDay && isKnown ? parsed : null;
}
