import { InvalidArgumentError, Option } from 'commander';
import type { Act } from '#libs/operators/operator-actions.js';

/** The input and output of a command; tests pass their own. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  /** The name of who runs the command, and the reason, for the audit log. */
  operator?: string;
  reason?: string;
  write(text: string): void;
  writeError(text: string): void;
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
