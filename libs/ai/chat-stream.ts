import { APIError } from 'openai';
import { ANSWER_MAX_CHARACTERS } from '#libs/contract/markdown.js';
import type { WebPage } from './engine.js';
import { isPage, readError, type ErrorBody } from './error-body.js';
import type { SentUsage } from './token-usage.js';

/** The parts of a chunk that are read. Servers fill them in many ways, so every part is checked where it is used. */
export interface ChatChunk {
  usage?: SentUsage | null;
  /** Pages that the answer cites. */
  pages?: WebPage[];
  choices?: {
    delta?: ChatDelta | null;
    message?: ChatDelta | null;
    /** The text in the older form of completions. */
    text?: unknown;
    finish_reason?: unknown;
    /** The reason of the service behind a gateway such as OpenRouter. */
    native_finish_reason?: unknown;
    /** The usage, in Moonshot's last chunk. */
    usage?: SentUsage | null;
  }[];
}

export interface ChatDelta {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  thinking?: unknown;
  tool_calls?: unknown;
  /** The older form of `tool_calls`. */
  function_call?: unknown;
}

export interface ChatStream {
  chunks: AsyncIterable<ChatChunk>;
  /** True once the server has closed the stream properly, with `[DONE]` or with a whole answer. */
  isDone: () => boolean;
}

/**
 * Reads the response to a streamed request. Also takes a whole answer as JSON, from servers that ignore `stream`.
 * @param onBytes called for all bytes that arrive, also for comments, with which servers keep a connection open
 */
export function readChatStream(response: Response, onBytes: () => void): ChatStream {
  let isDone = false;
  const fail = (error: ErrorBody, status = statusOf(error)): never => {
    throw new APIError(status, error, error.message, response.headers);
  };

  let hasDeltaText = false;
  /** Reads `message` as `delta`, unless it repeats the text of earlier deltas, as the last chunk of MiniMax does. */
  const read = (json: string): ChatChunk => {
    const { usage, pages, choices } = readChunk(json, fail);
    hasDeltaText ||= choices?.some(({ delta }) => textOf(delta) !== '') ?? false;
    return {
      usage,
      pages,
      choices: choices?.map(({ message, text, ...choice }) => ({
        ...choice,
        delta: choice.delta ?? (hasDeltaText ? null : (message ?? { content: text })),
      })),
    };
  };

  async function* chunks(): AsyncGenerator<ChatChunk> {
    let data: string[] = [];
    let whole: string[] | null = null;
    let isBlank = true;
    for await (const line of linesOf(response, onBytes)) {
      if (isBlank && /^\s*[[{]/.test(line)) whole = [];
      if (isBlank && isPage(line)) fail(readError(line), NOT_FOUND);
      isBlank &&= line.trim() === '';
      if (whole) {
        whole.push(line);
        continue;
      }
      const [, field, value = ''] = /^(data|error): ?(?:data: ?)*(.*)$/s.exec(line) ?? [];
      const isDoneMark = value.startsWith('[DONE]');
      // Some servers send no blank line between events. No JSON has such a line break.
      const isNext = /\}\s*$/.test(data.at(-1) ?? '') && /^\s*\{/.test(value);
      if (data.length > 0 && (line === '' || isNext || isDoneMark)) {
        yield read(data.join('\n'));
        data = [];
      }
      // Some servers send an error without a field.
      if (/^\{\s*"error"/.test(line)) fail(readError(line));
      if (field === undefined || value.trim() === '') continue;
      if (isDoneMark) {
        isDone = true;
        return;
      }
      // Older versions of llama.cpp send errors in a field of this name.
      if (field === 'error') fail(readError(value));
      data.push(value);
    }
    if (data.length > 0) yield read(data.join('\n'));
    if (!whole) return;
    yield read(whole.join('\n'));
    isDone = true;
  }
  return { chunks: chunks(), isDone: () => isDone };
}

/** Status of a web page: the address is another service's. */
const NOT_FOUND = 404;

/** Longer lines are no chunk of an answer. */
const MAX_LINE_CHARACTERS = 20 * ANSWER_MAX_CHARACTERS;

/** The ends of a line in a stream of events. A CR at the end of the received text may be the first half of CRLF. */
const LINE_END = /\r\n|\n|\r(?!$)/;

/** The lines of a response, also the last one without a line break. */
async function* linesOf({ body }: Response, onBytes: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    onBytes();
    rest += decoder.decode(bytes, { stream: true });
    if (rest.length > MAX_LINE_CHARACTERS) throw new Error('a line of the stream is too long');
    const lines = rest.split(LINE_END);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest.replace(/\r$/, '');
}

/** Codes of messages that say that all is well. */
const SUCCESS: unknown[] = [0, '0', 200, '200'];

/** HTTP statuses for MiniMax's codes. */
const MINIMAX_STATUSES: Record<number, number> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  2013: 400,
};

/** Reads a chunk or a whole answer. */
function readChunk(json: string, fail: (error: ErrorBody) => never): ChatChunk {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return {};
  const fields = value as ChatChunk & Record<string, unknown>;
  const { error, errors, usage, choices, base_resp } = fields;
  const state = (base_resp ?? {}) as { status_code?: number; status_msg?: string };
  // MiniMax answers 200 with an error of its own: https://www.minimax.io/platform/document/error_code
  if (state.status_code)
    fail({ message: String(state.status_msg), code: MINIMAX_STATUSES[state.status_code] });
  // An error may be a list, in the field `error`, `errors` or `error_msg`, or have a message of its own, as with vLLM and GLM.
  const ownMessage =
    !choices &&
    !SUCCESS.includes(fields['code']) &&
    ['message', 'error_msg', 'detail', 'msg'].some((name) => typeof fields[name] === 'string');
  if (isFilled(error) || isFilled(errors) || ownMessage || Array.isArray(value)) fail(readError(json));
  const pages = pagesOf(fields);
  return Array.isArray(choices) ? { usage, pages, choices } : { usage, pages };
}

/** Pages of Perplexity and xAI: URLs in `citations`, and in `search_results` the same ones with titles. */
function pagesOf({ citations, search_results: results }: Record<string, unknown>): WebPage[] | undefined {
  const found = listOf(results).map(pageOf);
  const cited = listOf(citations).map(pageOf);
  if (cited.length === 0) return found.length === 0 ? undefined : found;
  return cited.map((page) => ({
    ...page,
    title: found.find(({ url }) => url === page.url)?.title ?? page.title,
  }));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function pageOf(sent: unknown): WebPage {
  const { url, title } = (typeof sent === 'object' && sent !== null ? sent : { url: sent }) as Record<
    string,
    unknown
  >;
  return { url: String(url), title: typeof title === 'string' && title.trim() !== '' ? title : null };
}

/** True if a field has an error: some servers send an empty one with each chunk. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some((part) => Boolean(part))
    : Boolean(value);

/** The HTTP status that fits an error which a server sent after it had answered 200; undefined if unknown. */
function statusOf({ message, code, type, status }: ErrorBody): number | undefined {
  if (Number(code) >= 400 && Number(code) < 600) return Number(code);
  if (/unexpected endpoint/i.test(message)) return NOT_FOUND;
  const words = [code, type, status].join(' ');
  if (/rate[_ ]?limit|too_many|too many requests|overloaded|resource_exhausted/i.test(`${words} ${message}`))
    return 429;
  return /invalid_request|bad_?request|invalid_argument/i.test(words) ? 400 : undefined;
}

/**
 * Text of `content`, which is a part or a list of parts for some models. Reasoning among the parts is left out. Cloudflare
 * sends numbers as such, and a JSON object in place of its text.
 */
export function textOf(delta: ChatDelta | null | undefined): string {
  const content = delta?.content;
  const isJson =
    typeof content === 'object' &&
    content !== null &&
    !Array.isArray(content) &&
    !['type', 'text', 'content'].some((name) => name in content);
  return isJson ? JSON.stringify(content) : partsOf(delta).map(textOfPart).join('');
}

type ContentPart =
  { type?: unknown; text?: unknown; content?: unknown; thought?: unknown } | string | number | boolean | null;

const partsOf = (delta: ChatDelta | null | undefined): ContentPart[] => [delta?.content ?? []].flat();

/** The text of a part is in `text`, in `text.value` or in `content`. */
function textOfPart(part: ContentPart): string {
  if (typeof part !== 'object') return String(part);
  if (part === null || isThinking(part)) return '';
  const { text, content } = part;
  const value = typeof text === 'object' && text !== null && 'value' in text ? text.value : (text ?? content);
  return typeof value === 'string' ? value : '';
}

const isThinking = (part: ContentPart): boolean =>
  typeof part === 'object' &&
  part !== null &&
  (part.thought === true || /^(redacted_)?(thinking|reasoning|thought)/.test(String(part.type)));

/**
 * The arguments of the functions that a chunk calls, with the position of each call. Servers that make a schema the only
 * function of the model, such as LiteLLM for some models, answer with its arguments in place of a text.
 */
export function argumentsOf(delta: ChatDelta | null | undefined): { position: number; text: string }[] {
  const calls = [delta?.tool_calls ?? []].flat() as { index?: unknown; function?: unknown }[];
  const all = delta?.function_call ? [...calls, { function: delta.function_call }] : calls;
  return all.map((call, at) => {
    const given = (call?.function as { arguments?: unknown } | null | undefined)?.arguments;
    const isEmpty = typeof given !== 'object' || given === null || Object.keys(given).length === 0;
    return {
      position: typeof call?.index === 'number' ? call.index : at,
      text: typeof given === 'string' ? given : isEmpty ? '' : JSON.stringify(given),
    };
  });
}

/** The field of reasoning that is filled. Some servers send several, and leave one of them empty. */
const reasoningFieldOf = (delta: ChatDelta | null | undefined): unknown =>
  delta?.reasoning_content || delta?.reasoning || delta?.thinking;

/** The reasoning of a chunk, if it has a field of its own. */
export function reasoningOf(delta: ChatDelta | null | undefined): string {
  const reasoning = reasoningFieldOf(delta);
  return typeof reasoning === 'string' ? reasoning : '';
}

/** True if the chunk has reasoning, in a field or part of its own. */
export function hasReasoning(delta: ChatDelta | null | undefined): boolean {
  return Boolean(reasoningFieldOf(delta)) || partsOf(delta).some(isThinking);
}
