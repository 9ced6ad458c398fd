import { CommandError } from './terminal.ts';

/** The names on the command line, or all names. @param what the kind of name, for the message */
export function choose<Name extends string>(what: string, all: readonly Name[]): readonly Name[] {
  const given = process.argv.slice(2);
  const unknown = given.filter((name) => !all.some((one) => one === name));
  if (unknown.length > 0)
    throw new CommandError(`There is no ${what} named ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  return given.length > 0 ? all.filter((name) => given.includes(name)) : all;
}
