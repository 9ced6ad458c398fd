import { z } from 'zod';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider, ChatMessage } from './engine.js';
import { readJson } from './read-json.js';

export interface JsonRequest<Schema extends z.ZodType> {
  instructions: string;
  /** What the model works on, as the user's message. */
  material: string;
  /** What the value is called, in letters and underscores. */
  name: string;
  schema: Schema;
}

/** Characters of a wrong answer that the model is shown again. */
const SHOWN_AGAIN = 20_000;

/**
 * Asks for a value of a schema and checks it. Where the server can hold its model to the schema it is told to; the
 * instructions name it as well, for servers that cannot. A wrong answer goes back to the model once, with what is
 * wrong with it.
 * @throws EngineError not retryable, when the second answer is wrong too
 */
export async function completeJson<Schema extends z.ZodType>(
  provider: AiProvider,
  { instructions, material, name, schema }: JsonRequest<Schema>,
  signal: AbortSignal,
): Promise<z.infer<Schema>> {
  const json = { name, schema: plainSchema(schema) };
  const form = `Answer with one JSON value of this JSON Schema and nothing else:\n${JSON.stringify(json.schema)}`;
  const asked: ChatMessage[] = [
    { role: 'system', content: `${instructions}\n\n${form}` },
    { role: 'user', content: material },
  ];
  const answer = await whole(provider.streamChat({ messages: asked, json }, signal));
  const first = check(answer, schema);
  if (first.success) return first.data;

  const repaired = await whole(
    provider.streamChat(
      {
        messages: [
          ...asked,
          { role: 'assistant', content: answer.slice(0, SHOWN_AGAIN) },
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

/** Without what servers refuse that hold a model to a schema: its dialect, and defaults. */
function plainSchema(schema: z.ZodType): Record<string, unknown> {
  const plain: Record<string, unknown> = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => void delete jsonSchema.default,
  });
  delete plain.$schema;
  return plain;
}

async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

type Checked<Schema extends z.ZodType> =
  { success: true; data: z.infer<Schema> } | { success: false; problem: string };

function check<Schema extends z.ZodType>(answer: string, schema: Schema): Checked<Schema> {
  const value = readJson(answer);
  if (value === undefined) return { success: false, problem: 'it is not valid JSON.' };
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { success: true, data: parsed.data }
    : { success: false, problem: z.prettifyError(parsed.error).slice(0, 2000) };
}
