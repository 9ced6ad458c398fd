import { parseArgs } from 'node:util';

export class UsageError extends Error {}

export interface Arguments {
  /** Name of the tool, as in the API. */
  tool: string;
  /** Pictures. */
  paths: string[];
  /** Fields of the tool. A value `@path` is a file. */
  fields: Record<string, string>;
  out: string | undefined;
  url: string;
  key: string;
  force: boolean;
  json: boolean;
}

/** Short names of tools. */
const aliases: Record<string, string> = {
  'remove-background': 'remove-image-background',
  'remove-object': 'remove-image-object',
};

const ownOptions = {
  out: { type: 'string', short: 'o' },
  url: { type: 'string' },
  key: { type: 'string' },
  force: { type: 'boolean', short: 'f' },
  json: { type: 'boolean' },
} as const;

/** @throws UsageError */
export function readArguments(args: string[], environment: Record<string, string | undefined>): Arguments {
  const names = args.flatMap((arg) => /^--([a-z][\w-]*)/i.exec(arg)?.[1] ?? []);
  const fieldNames = names.filter((name) => !Object.hasOwn(ownOptions, name));
  const { values, positionals } = parse(args, fieldNames);
  const [command, ...paths] = positionals;
  if (command === undefined) throw new UsageError('Name a tool, such as remove-background.');
  const { url = environment['PRESSROOM_URL'], key = environment['PRESSROOM_KEY'] } = values;
  if (!url) throw new UsageError('Set PRESSROOM_URL, or give --url: the address of the server.');
  if (!URL.canParse(url)) throw new UsageError(`${url} is no address: it starts with https://.`);
  if (!key) throw new UsageError('Set PRESSROOM_KEY, or give --key: an API key of your account.');
  const given = values as Record<string, string>;
  return {
    tool: aliases[command] ?? command,
    paths,
    fields: Object.fromEntries(fieldNames.map((name) => [name, given[name]!])),
    out: values.out,
    url,
    key,
    force: values.force === true,
    json: values.json === true,
  };
}

/** Options that are not of the command itself are fields of the tool. */
function parse(args: string[], fieldNames: string[]) {
  const fields = Object.fromEntries(fieldNames.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options: { ...fields, ...ownOptions }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}
