import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Text in a style where the terminal shows styles, and as it is elsewhere. */
export const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });

/** One line for the user who started the command. */
export function say(line = '') {
  process.stdout.write(`${line}\n`);
}

/** A line about one program, its name in front. */
export function sayOf(program: string, line: string, style?: Style) {
  say(`${styled('dim', program.padEnd(8))} ${style ? styled(style, line) : line}`);
}

/** What keeps a command from doing its work, in a sentence for the user: told without a stack. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** Tells a failure: a {@link Refusal} by its sentence, anything else with its stack. */
export function sayFailure(error: unknown) {
  process.stderr.write(`${error instanceof Refusal ? styled('red', error.message) : describe(error)}\n`);
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The time since this process was started, as `3.1 s`. */
export const elapsed = () => `${process.uptime().toFixed(1)} s`;
