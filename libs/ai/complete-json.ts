import { z } from 'zod';
import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider, ChatMessage } from './engine.js';
import { readJsonValues } from './read-json.js';

export interface JsonRequest<Schema extends z.ZodType> {
  instructions: string;
  material: string;
  /** The schema's name. May contain letters and underscores only. */
  name: string;
  schema: Schema;
}

/** An invalid answer is cut to this many characters before the model gets it back. */
const REPAIR_MAX_CHARACTERS = 20_000;

/**
 * Requests a JSON value and validates it. Sends the schema as `response_format`, and also in the instructions, for servers
 * without structured output. If the answer is invalid, sends it back to the model once, together with its errors.
 * @throws EngineError, not retryable, if the second answer is invalid too
 */
export async function completeJson<Schema extends z.ZodType>(
  provider: AiProvider,
  { instructions, material, name, schema }: JsonRequest<Schema>,
  signal: AbortSignal,
): Promise<z.infer<Schema>> {
  const json = { name, schema: plainSchema(schema) };
  const form = `Answer with one JSON value of this JSON Schema and nothing else:\n${JSON.stringify(json.schema)}`;
  const messages: ChatMessage[] = [
    { role: 'system', content: `${instructions}\n\n${form}` },
    { role: 'user', content: material },
  ];
  const answer = await readAll(provider.streamChat({ messages, json }, signal));
  const first = check(answer, schema);
  if (first.success) return first.data;

  const repaired = await readAll(
    provider.streamChat(
      {
        messages: [
          ...messages,
          { role: 'assistant', content: answer.slice(0, REPAIR_MAX_CHARACTERS) },
          {
            role: 'user',
            content: `That answer cannot be used: ${first.problem} Answer again with the whole JSON value alone.`,
          },
        ],
        json,
      },
      signal,
    ),
  );
  const second = check(repaired, schema);
  if (second.success) return second.data;
  throw new EngineError('The AI service gave an answer that cannot be read, twice. Try again.', {
    retryable: false,
    cause: new Error(second.problem),
  });
}

/** Converts the schema to JSON Schema without `$schema` and defaults, which servers with structured output reject. */
function plainSchema(schema: z.ZodType): Record<string, unknown> {
  const plain: Record<string, unknown> = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => void delete jsonSchema.default,
  });
  delete plain.$schema;
  return plain;
}

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

type Checked<Schema extends z.ZodType> =
  { success: true; data: z.infer<Schema> } | { success: false; problem: string };

function check<Schema extends z.ZodType>(answer: string, schema: Schema): Checked<Schema> {
  let problem: string | undefined;
  const names = namesOf(plainSchema(schema));
  const values = [...withInner(readJsonValues(answer))].map((value) => withNames(value, names));
  for (const value of [...values, ...values.flatMap((value) => asOnlyList(value, schema))]) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { success: true, data: parsed.data };
    const repaired = schema.safeParse(withTypes(value, parsed.error.issues));
    if (repaired.success) return { success: true, data: repaired.data };
    problem ??= z.prettifyError(parsed.error).slice(0, 2000);
  }
  return { success: false, problem: problem ?? 'it is not valid JSON.' };
}

const MAX_DEPTH = 3;

/** The values and those inside of them, as in `{ result: … }`, which may be JSON as text: the outer ones first. */
function* withInner(values: Iterable<unknown>, depth = 0): Generator<unknown> {
  for (const value of values) {
    yield value;
    if (typeof value === 'string' && depth === 0) yield* withInner(readJsonValues(value), depth + 1);
    if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) continue;
    for (const inside of Object.values(value) as unknown[]) {
      if (typeof inside === 'object') yield* withInner([inside], depth + 1);
      else if (typeof inside === 'string' && /^\s*[{[]/.test(inside))
        yield* withInner(readJsonValues(inside), depth + 1);
    }
  }
}

/** A list alone as the object of the schema that has only this list. */
function asOnlyList(value: unknown, schema: z.ZodType): unknown[] {
  if (!Array.isArray(value) || value.length === 0 || !(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).map((name) => ({ [name]: value }));
}

/** Letters of a name by which `jobQuote` and `Job Quote` are `job_quote`. */
const lettersOf = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/** The names of properties in a JSON Schema, by their letters. */
function namesOf(schema: unknown): Map<string, string> {
  if (typeof schema !== 'object' || schema === null) return new Map();
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return new Map([
    ...own.map((name) => [lettersOf(name), name] as const),
    ...Object.values(schema).flatMap((part) => [...namesOf(part)]),
  ]);
}

/** The value with the schema's spelling of its names. */
function withNames(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => withNames(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [names.get(lettersOf(name)) ?? name, withNames(one, names)]),
  );
}

/** The value with booleans and numbers where the schema wants them and the answer has them as words. */
function withTypes(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    const last = issue.path.at(-1);
    if (issue.code !== 'invalid_type' || last === undefined) continue;
    const parent = issue.path
      .slice(0, -1)
      .reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], copy);
    const fields = parent as Record<PropertyKey, unknown>;
    const given = fields[last];
    if (typeof given !== 'string' && typeof given !== 'number') continue;
    const text = String(given);
    if (issue.expected === 'boolean' && /^(true|false|yes|no|1|0)$/i.test(text))
      fields[last] = /^(true|yes|1)$/i.test(text);
    if (issue.expected === 'number' && text.trim() !== '' && Number.isFinite(Number(text)))
      fields[last] = Number(text);
  }
  return copy;
}
