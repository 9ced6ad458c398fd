import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Styles a text if stdout is a terminal that supports it. */
export const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });

export function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/** Prints a line with the name of a program in front. */
export function printFrom(program: string, line: string, style?: Style) {
  print(`${styled('dim', program.padEnd(8))} ${style ? styled(style, line) : line}`);
}

/** A failure whose message is for the user: printed without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export function printError(error: unknown) {
  process.stderr.write(`${error instanceof CommandError ? styled('red', error.message) : describe(error)}\n`);
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The time since this process was started, as `3.1 s`. */
export const elapsed = () => `${process.uptime().toFixed(1)} s`;
