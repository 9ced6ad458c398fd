import { CommandError } from './terminal.ts';

/**
 * The names on the command line, or all names.
 * @param what the kind of name, for the message @param given the arguments without options
 */
export function choose<Name extends string>(
  what: string,
  all: readonly Name[],
  given = process.argv.slice(2),
): readonly Name[] {
  const unknown = given.filter((name) => !all.some((one) => one === name));
  if (unknown.length > 0)
    throw new CommandError(`There is no ${what} named ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  return given.length > 0 ? all.filter((name) => given.includes(name)) : all;
}
