import OpenAI, { APIError } from 'openai';
import type {
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine.js';
import { ANSWER_MAX_CHARACTERS } from '#libs/contract/markdown.js';
import { AnswerFilter } from './answer-filter.js';
import { argumentsOf, hasReasoning, readChatStream, reasoningOf, textOf } from './chat-stream.js';
import { CONTINUE_PROMPT, Continuation } from './continuation.js';
import type { AiProvider, ChatMessage, ChatRequest, TokenUsage } from './engine.js';
import { fetchWithReadableErrors } from './error-body.js';
import {
  emptyAnswer,
  endlessAnswer,
  incompleteAnswer,
  isFailedGeneration,
  isRefusedParameter,
  mayRefuseSchema,
  refusedAnswer,
  toEngineError,
  truncatedAnswer,
  unbegunAnswer,
  untaggedReasoning,
} from './openai-errors.js';
import { createImageCalls } from './openai-images.js';
import { PieceReader } from './piece-reader.js';
import { readTokenUsage } from './token-usage.js';

const OPENAI_URL = 'https://api.openai.com/v1';
/** Limit for an answer that is not streamed, of which nothing arrives before its end. */
const UNSTREAMED_SECONDS = 600;

/** How a request is sent. */
interface Sending {
  signal: AbortSignal;
  /** Called before a request whose answer is not streamed. */
  onUnstreamed: () => void;
}

/** A client of OpenAI or of a server with its API. All options are set, so it does not read them from the environment. */
export const createClient = (config: OpenAiConfig): OpenAI =>
  new OpenAI({
    apiKey: config.apiKey,
    baseURL: config.baseUrl ?? OPENAI_URL,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    fetch: fetchWithReadableErrors,
    // Longer than our own timeouts, which have better error messages.
    timeout: (Math.max(config.firstTokenSeconds, config.imageSeconds, UNSTREAMED_SECONDS) + 60) * 1000,
    logLevel: 'off',
  });

/**
 * Connects to OpenAI, or to any server with the same API. Does not retry failed calls, because their jobs are retried with
 * backoff.
 */
export function createOpenAiProvider(config: OpenAiConfig, clock: Clock = systemClock): AiProvider {
  const client = createClient(config);

  /** False once the server has rejected `response_format`. */
  let supportsSchema = true;
  /** False once the server has rejected `stream_options`. */
  let supportsUsage = true;
  /** False once the server has rejected `stream`. */
  let supportsStream = true;
  /** False once the server has rejected the role `system`. */
  let supportsSystem = true;
  /** True if the model sent reasoning without an opening tag, until it sends an answer without reasoning. */
  let sendsUntaggedReasoning = false;

  const post = (body: ChatCompletionCreateParams, { signal }: Sending): Promise<Response> =>
    client.chat.completions.create(body, { signal }).asResponse();

  /** Starts a stream, or requests the answer as a whole if the server does not stream. */
  async function create(body: ChatCompletionCreateParamsStreaming, sending: Sending): Promise<Response> {
    const { stream: _, ...whole } = body;
    if (supportsStream) {
      try {
        return await createStream(body, sending);
      } catch (error) {
        if (!refusesStream(error)) throw error;
      }
    }
    sending.onUnstreamed();
    const response = await post(whole, sending);
    // A server may refuse only streams of JSON.
    if (!body.response_format) supportsStream = false;
    return response;
  }

  /** Starts a stream. Requests the token usage at its end, unless the server does not support this. */
  async function createStream(
    body: ChatCompletionCreateParamsStreaming,
    sending: Sending,
  ): Promise<Response> {
    if (!supportsUsage) return post(body, sending);
    try {
      return await post({ ...body, stream_options: { include_usage: true } }, sending);
    } catch (error) {
      if (!refusesUsage(error)) throw error;
      supportsUsage = false;
      return post(body, sending);
    }
  }

  /** Starts a stream. Puts the instructions into the first message of the user for models without the role `system`. */
  async function createWithRoles(
    body: ChatCompletionCreateParamsStreaming & { messages: ChatMessage[] },
    sending: Sending,
  ): Promise<Response> {
    const merged = { ...body, messages: withoutSystem(body.messages) };
    if (!supportsSystem) return create(merged, sending);
    try {
      return await create(body, sending);
    } catch (error) {
      if (!refusesSystem(error)) throw error;
      supportsSystem = false;
      return create(merged, sending);
    }
  }

  async function startStream({ messages, json }: ChatRequest, sending: Sending): Promise<Response> {
    const plain = { model: config.textModel, messages, stream: true } as const;
    if (!json || !supportsSchema) return createWithRoles(plain, sending);
    const response_format = { type: 'json_schema', json_schema: { ...json, strict: true } } as const;
    try {
      return await createWithRoles({ ...plain, response_format }, sending);
    } catch (error) {
      if (!mayRefuseSchema(error)) throw error;
      const stream = await createWithRoles(plain, sending);
      supportsSchema &&= isFailedGeneration(error);
      return stream;
    }
  }

  /** Streams one response. Sets `end.isTruncated` if the answer reached the model's maximum length. */
  async function* streamResponse(
    request: ChatRequest,
    signal: AbortSignal,
    end: { isTruncated: boolean },
  ): AsyncGenerator<string> {
    signal.throwIfAborted();
    const idle = new IdleTimeout();
    const pieces = new PieceReader();
    const isAboutTags = request.messages.some(({ content }) => /<think>/i.test(content));
    const answer = new AnswerFilter(sendsUntaggedReasoning, isAboutTags);
    let answering = false;
    let isSent = false;
    let isThinking = false;
    let finish: Finish | null = null;
    let isDone = () => false;
    let refused = false;
    let empty = true;
    let length = 0;
    let usage: TokenUsage | null = null;
    let outputCharacters = 0;
    const functionArguments = new Map<number, string>();
    const show = (text: string): string => {
      length += text.length;
      empty &&= text.trim() === '';
      return text;
    };
    let firstSeconds = config.firstTokenSeconds;
    const wait = () => idle.restart(empty ? firstSeconds : config.idleSeconds);
    try {
      wait();
      isSent = true;
      const response = await startStream(request, {
        signal: AbortSignal.any([signal, idle.signal]),
        onUnstreamed: () => {
          firstSeconds = Math.max(firstSeconds, UNSTREAMED_SECONDS);
          wait();
        },
      });
      answering = true;
      const stream = readChatStream(response, () => idle.isWaiting && wait());
      ({ isDone } = stream);
      for await (const chunk of stream.chunks) {
        signal.throwIfAborted();
        const choice = chunk.choices?.[0];
        usage = readTokenUsage(chunk.usage ?? choice?.usage) ?? usage;
        if (chunk.pages) request.onPages?.(chunk.pages);
        if (!choice) continue;
        const piece = pieces.add(textOf(choice.delta));
        outputCharacters += piece.length + reasoningOf(choice.delta).length;
        finish = readFinish(choice.finish_reason, choice.native_finish_reason) ?? finish;
        refused ||= Boolean(choice.delta?.refusal);
        for (const { position, text } of request.json ? argumentsOf(choice.delta) : []) {
          outputCharacters += text.length;
          functionArguments.set(position, (functionArguments.get(position) ?? '') + show(text));
        }
        if (length > ANSWER_MAX_CHARACTERS) break;
        const text = show(answer.add(piece));
        if (answer.hasReturnedReasoning) break;
        if (text !== '') {
          idle.stop();
          if (length > ANSWER_MAX_CHARACTERS) break;
          yield text;
        } else if (!isThinking && (answer.isReasoning || hasReasoning(choice.delta))) {
          isThinking = true;
          request.onThinking?.();
        }
        wait();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (idle.signal.aborted) throw timedOut(empty, config);
      // After `finish_reason` the answer is complete, so errors of the connection no longer matter.
      if (!finish) throw toEngineError(error, { apiKey: config.apiKey, answering });
    } finally {
      idle.stop();
      // The provider reads a request also if nobody waits for the answer any more.
      if (answering || (isSent && (signal.aborted || idle.signal.aborted)))
        request.onResponse?.({
          usage,
          inputCharacters: charactersOf(request),
          outputCharacters: outputCharacters + pieces.rest.length,
          images: 0,
        });
    }
    // Checks the signal, because the OpenAI client's iterator ends without an error after an abort.
    signal.throwIfAborted();
    const last = answer.add(pieces.rest) + answer.end();
    const rest = [show(last), ...functionArguments.values()].filter(Boolean).join('\n');
    if (answer.hasReturnedReasoning) {
      sendsUntaggedReasoning = true;
      throw untaggedReasoning();
    }
    if (length > ANSWER_MAX_CHARACTERS) throw endlessAnswer();
    if (refused || finish?.kind === 'refused') throw refusedAnswer();
    if (idle.signal.aborted && !finish) throw timedOut(empty, config);
    if (!finish && !isDone()) throw incompleteAnswer();
    if (finish?.kind === 'failed')
      throw incompleteAnswer(new Error(`the stream ended with the finish_reason ${finish.reason}`));
    if (empty) throw finish?.kind === 'truncated' ? unbegunAnswer() : emptyAnswer();
    if (answer.isReasoning && finish?.kind !== 'truncated')
      throw incompleteAnswer(new Error('the stream ended in reasoning'));
    end.isTruncated = finish?.kind === 'truncated';
    sendsUntaggedReasoning &&= answer.hasSkipped || end.isTruncated;
    if (rest !== '') yield rest;
  }

  /** Streams an answer. One that reached the model's maximum length is continued once. */
  async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<string> {
    const end = { isTruncated: false };
    let first = '';
    for await (const piece of streamResponse(request, signal, end)) {
      first += piece;
      yield piece;
    }
    if (!end.isTruncated) return;
    const messages: ChatMessage[] = [
      ...request.messages,
      { role: 'assistant', content: first },
      { role: 'user', content: CONTINUE_PROMPT },
    ];
    end.isTruncated = false;
    let length = first.length;
    const continuation = new Continuation(first);
    for await (const piece of streamResponse({ ...request, messages }, signal, end)) {
      length += piece.length;
      if (length > ANSWER_MAX_CHARACTERS) throw endlessAnswer();
      const text = continuation.add(piece);
      if (text !== '') yield text;
    }
    const rest = continuation.end();
    if (rest !== '') yield rest;
    if (end.isTruncated) throw truncatedAnswer();
  }

  return {
    name: 'openai',
    textModel: config.textModel,
    imageModel: config.imageModel,
    streamChat,
    ...createImageCalls(client, { ...config, baseUrl: client.baseURL }, clock),
  };
}

/** True if the server rejected `stream_options`, or unknown fields in general. */
const refusesUsage = (error: unknown): boolean =>
  isRefusedParameter(error) &&
  /stream_options|include_usage|extra_forbidden|unrecognized|unknown (field|parameter|argument)/i.test(
    (error as APIError).message,
  );

/** True if the server does not stream, as OpenAI for some models to organizations that are not verified. */
const refusesStream = (error: unknown): boolean =>
  isRefusedParameter(error) &&
  ((error as APIError).param === 'stream' ||
    /\bstream(ing)?\b.{0,40}\b(not (supported|allowed|enabled|available)|unsupported|disabled)|\bnot support\w* stream(ing)?\b/i.test(
      (error as APIError).message,
    ));

/** True if the server or the model rejected the role `system`. */
const refusesSystem = (error: unknown): boolean =>
  error instanceof APIError &&
  [400, 422, 500].includes(Number(error.status)) &&
  /system (role|message|prompt|instruction)s?\b.*(not|un)\W*(supported|allowed|enabled|permitted)|not support 'system'|role\W*system|developer instruction is not enabled|only (user|'user') and (assistant|model|'assistant')|roles must alternate/i.test(
    error.message,
  );

/** Makes instructions messages of the user, and joins messages of one role, because such models want the roles in turn. */
function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const sentRole = role === 'system' ? 'user' : role;
    const last = joined.at(-1);
    if (last?.role === sentRole) last.content += `\n\n${content}`;
    else joined.push({ role: sentRole, content });
  }
  return joined;
}

interface Finish {
  kind: 'complete' | 'truncated' | 'refused' | 'failed';
  reason: string;
}

const reasonsOf: Record<Exclude<Finish['kind'], 'failed'>, string[]> = {
  complete: [
    ...['stop', 'end_turn', 'stop_sequence', 'complete', 'completed', 'finished', 'done', 'end', 'normal'],
    ...['eos', 'eos_token', 'eot', 'im_end', 'tool_calls', 'function_call'],
  ],
  truncated: ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
  refused: [
    ...['content_filter', 'content_filtered', 'guardrail_intervened', 'refusal', 'sensitive'],
    ...['safety', 'prohibited_content', 'recitation', 'blocklist', 'spii', 'error_toxic'],
    ...['image_safety', 'image_prohibited_content', 'moderation'],
  ],
};
const kindOf = new Map(
  Object.entries(reasonsOf).flatMap(([kind, reasons]) =>
    reasons.map((reason) => [reason, kind as Finish['kind']] as const),
  ),
);

/** Reasons of a failed service that OpenRouter reports as `stop`. */
const FAILED = /^(?:error|network_error|server_error|abort(?:ed)?|timeout|insufficient_system_resource)$/i;

/**
 * Reads a `finish_reason`, such as `stop`, `content_filter: SAFETY`, `FINISH_REASON_STOP`, `<|im_end|>` or SGLang's
 * `{ type: 'abort' }`. Null if there is none. An unknown one is a failure.
 */
function readFinish(sent: unknown, native: unknown): Finish | null {
  if (typeof native === 'string' && FAILED.test(native)) return { kind: 'failed', reason: native };
  const reason = typeof sent === 'object' && sent !== null && 'type' in sent ? sent.type : sent;
  if (typeof reason !== 'string') return null;
  const [first = ''] = reason.toLowerCase().split(':');
  const name = first
    .trim()
    .replace(/^<\|(.*)\|>$/, '$1')
    .replaceAll('-', '_')
    .replace(/^finish_reason_/, '');
  if (['', 'null', 'none', 'unspecified'].includes(name)) return null;
  return { kind: kindOf.get(name) ?? 'failed', reason: reason.slice(0, 100) };
}

const charactersOf = ({ messages, json }: ChatRequest): number =>
  messages.reduce((sum, { content }) => sum + content.length, json ? JSON.stringify(json.schema).length : 0);

function timedOut(noText: boolean, { firstTokenSeconds, idleSeconds }: OpenAiConfig): EngineError {
  return new EngineError(
    noText
      ? 'The AI service did not begin to answer in time. Try again in a few minutes.'
      : 'The AI service stopped in the middle of its answer. Try again in a few minutes.',
    {
      retryable: true,
      scope: 'service',
      providerCode: 'timeout',
      cause: new Error(
        noText ? `no token in ${firstTokenSeconds} s` : `no further token in ${idleSeconds} s`,
      ),
    },
  );
}

/** Aborts `signal` if neither `restart` nor `stop` is called within the given time. */
class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  /** True between `restart` and `stop`. */
  isWaiting = false;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(seconds: number): void {
    this.stop();
    this.isWaiting = true;
    this.timer = setTimeout(() => this.controller.abort(), seconds * 1000);
  }

  stop(): void {
    this.isWaiting = false;
    clearTimeout(this.timer);
  }
}
