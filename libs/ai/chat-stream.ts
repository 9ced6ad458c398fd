import { APIError } from 'openai';
import { Stream } from 'openai/streaming';
import { readError } from './error-body.js';
import type { SentUsage } from './token-usage.js';

/** The parts of a chunk that are read. Servers fill them in many ways, so every part is checked where it is used. */
export interface ChatChunk {
  usage?: SentUsage | null;
  choices?: { delta?: ChatDelta | null; finish_reason?: unknown }[];
}

export interface ChatDelta {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
}

export interface ChatStream {
  chunks: AsyncIterable<ChatChunk>;
  /** True once the server has closed the stream properly, with `[DONE]` or with a whole answer. */
  isDone: () => boolean;
}

/**
 * Reads the response to a streamed request. Also takes a whole answer as JSON, from servers that ignore `stream`.
 * @param onBytes called for all bytes that arrive, also for comments, with which servers keep a connection open
 * @throws APIError if the response is an error in spite of its status
 */
export async function readChatStream(response: Response, onBytes: () => void): Promise<ChatStream> {
  const type = response.headers.get('content-type') ?? '';
  if (/\bjson\b/.test(type) && !/ndjson|jsonl|stream/.test(type)) {
    const chunk = toChunk(await response.text(), response.headers);
    return { chunks: only(chunk), isDone: () => true };
  }
  const end = new EndOfStream();
  const observer = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, output) {
      onBytes();
      end.add(bytes);
      output.enqueue(bytes);
    },
  });
  const { status, headers } = response;
  const observed = new Response(response.body?.pipeThrough(observer), { status, headers });
  const chunks = Stream.fromSSEResponse<ChatChunk>(observed, new AbortController());
  return { chunks, isDone: () => end.isReached };
}

interface WholeAnswer {
  error?: unknown;
  usage?: ChatChunk['usage'];
  choices?: { message?: ChatDelta; finish_reason?: unknown }[];
}

/** @throws APIError if the body is an error */
function toChunk(body: string, headers: Headers): ChatChunk {
  const { error, usage, choices = [] } = JSON.parse(body) as WholeAnswer;
  if (error) {
    const known = readError(body);
    const status = Number(known.code) >= 400 && Number(known.code) < 600 ? Number(known.code) : 400;
    throw APIError.generate(status, { error: known }, known.message, headers);
  }
  return {
    usage,
    choices: choices.map(({ message, finish_reason }) => ({ delta: message, finish_reason })),
  };
}

async function* only(chunk: ChatChunk): AsyncGenerator<ChatChunk> {
  yield chunk;
}

/** Text of `content`, which is a list of parts for some models. Reasoning among the parts is left out. */
export function textOf(delta: ChatDelta | null | undefined): string {
  const content = delta?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: unknown; text?: unknown } | string | null) =>
      typeof part === 'string' ? part : typeof part?.text === 'string' ? part.text : '',
    )
    .join('');
}

/** The reasoning of a chunk, if it has a field of its own. */
export function reasoningOf(delta: ChatDelta | null | undefined): string {
  const reasoning = delta?.reasoning_content ?? delta?.reasoning;
  return typeof reasoning === 'string' ? reasoning : '';
}

/** True if the chunk has reasoning, in a field or part of its own. */
export function hasReasoning(delta: ChatDelta | null | undefined): boolean {
  const parts: unknown[] = Array.isArray(delta?.content) ? delta.content : [];
  const isThinking = (part: unknown) => (part as { type?: unknown } | null)?.type === 'thinking';
  return Boolean(delta?.reasoning_content ?? delta?.reasoning) || parts.some(isThinking);
}

/** Finds the event `[DONE]`, also if it arrives in pieces. */
class EndOfStream {
  isReached = false;
  private tail = '';
  private readonly decoder = new TextDecoder('latin1');

  add(bytes: Uint8Array): void {
    const text = this.tail + this.decoder.decode(bytes);
    this.isReached ||= /(?:^|\n)data: ?\[DONE\]/.test(text);
    this.tail = text.slice(-16);
  }
}
