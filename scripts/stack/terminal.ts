import { styleText } from 'node:util';
import { escapeControls } from '../../libs/observability/control-characters.ts';

type Style = Parameters<typeof styleText>[0];

export const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });

export function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/** Prints one line of a program, which may hold anything, with the program's name in front. */
export function printFrom(program: string, text: string, style?: Style) {
  const line = escapeControls(text);
  print(`${styled('dim', program.padEnd(8))} ${style ? styled(style, line) : line}`);
}

/** A failure whose message is for the user: printed without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number = 1;
}

/** The exit code of a command or program whose configuration is wrong (EX_CONFIG of sysexits.h). */
export const CONFIGURATION_EXIT_CODE = 78;

/** A variable is wrong: starting again cannot help. */
export class WrongConfiguration extends CommandError {
  override name = 'WrongConfiguration';
  override readonly exitCode = CONFIGURATION_EXIT_CODE;
}

export const exitCodeOf = (error: unknown) => (error instanceof CommandError ? error.exitCode : 1);

export function printError(error: unknown) {
  const lines = (text: string) => text.split('\n').map(escapeControls).join('\n');
  process.stderr.write(
    `${error instanceof CommandError ? styled('red', lines(error.message)) : lines(describe(error))}\n`,
  );
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The time since this process was started, as `3.1 s`. */
export const elapsed = () => `${process.uptime().toFixed(1)} s`;
