import OpenAI, { type APIError } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine.js';
import { ANSWER_MAX_CHARACTERS } from '#libs/contract/markdown.js';
import type { AiProvider, ChatRequest } from './engine.js';
import { fetchWithReadableErrors } from './error-body.js';
import {
  emptyAnswer,
  endlessAnswer,
  incompleteAnswer,
  isRefusedParameter,
  refusedAnswer,
  toEngineError,
} from './openai-errors.js';
import { createImageCalls } from './openai-images.js';

const OPENAI_URL = 'https://api.openai.com/v1';

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
    timeout: (Math.max(config.firstTokenSeconds, config.imageSeconds) + 60) * 1000,
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

  /** Starts a stream. Requests the token usage at its end, unless the server does not support this. */
  async function create(body: ChatCompletionCreateParamsStreaming, signal: AbortSignal) {
    if (!supportsUsage) return client.chat.completions.create(body, { signal });
    try {
      const stream_options = { include_usage: true };
      return await client.chat.completions.create({ ...body, stream_options }, { signal });
    } catch (error) {
      if (!refusesUsage(error)) throw error;
      supportsUsage = false;
      return client.chat.completions.create(body, { signal });
    }
  }

  async function startStream({ messages, json }: ChatRequest, signal: AbortSignal) {
    const plain = { model: config.textModel, messages, stream: true } as const;
    if (!json || !supportsSchema) return create(plain, signal);
    const response_format = { type: 'json_schema', json_schema: { ...json, strict: true } } as const;
    try {
      return await create({ ...plain, response_format }, signal);
    } catch (error) {
      if (!isRefusedParameter(error)) throw error;
      const stream = await create(plain, signal);
      supportsSchema = false;
      return stream;
    }
  }

  async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const idle = new IdleTimeout();
    let answering = false;
    let finish: string | null = null;
    let refused = false;
    let empty = true;
    let length = 0;
    try {
      idle.restart(config.firstTokenSeconds);
      const stream = await startStream(request, AbortSignal.any([signal, idle.signal]));
      answering = true;
      for await (const chunk of stream) {
        signal.throwIfAborted();
        const { usage } = chunk;
        if (usage) request.onUsage?.({ input: usage.prompt_tokens, output: usage.completion_tokens });
        const choice = chunk.choices?.[0];
        if (!choice) continue;
        finish = choice.finish_reason ?? finish;
        refused ||= Boolean(choice.delta?.refusal);
        // Removes U+0000, which PostgreSQL cannot store.
        const text = choice.delta?.content?.replaceAll('\u0000', '');
        if (text) {
          idle.stop();
          length += text.length;
          if (length > ANSWER_MAX_CHARACTERS) break;
          empty &&= text.trim() === '';
          yield text;
        }
        if (text || hasReasoning(choice.delta)) idle.restart(config.idleSeconds);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (idle.signal.aborted) throw timedOut(empty, config);
      // After `finish_reason` the answer is complete, so errors of the connection no longer matter.
      if (!finish) throw toEngineError(error, { apiKey: config.apiKey, answering });
    } finally {
      idle.stop();
    }
    // Checks the signal, because the OpenAI client's iterator ends without an error after an abort.
    signal.throwIfAborted();
    if (length > ANSWER_MAX_CHARACTERS) throw endlessAnswer();
    if (refused || finish === 'content_filter') throw refusedAnswer();
    if (idle.signal.aborted && !finish) throw timedOut(empty, config);
    if (!finish) throw incompleteAnswer();
    if (empty) throw emptyAnswer();
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

/**
 * True if the chunk contains reasoning, which some servers stream in fields of its own. Reasoning restarts the idle timeout.
 */
function hasReasoning(delta: object | undefined): boolean {
  const { reasoning_content, reasoning } = (delta ?? {}) as {
    reasoning_content?: unknown;
    reasoning?: unknown;
  };
  return Boolean(reasoning_content ?? reasoning);
}

function timedOut(noText: boolean, { firstTokenSeconds, idleSeconds }: OpenAiConfig): EngineError {
  return new EngineError(
    noText
      ? 'The AI service did not begin to answer in time. Try again in a few minutes.'
      : 'The AI service stopped in the middle of its answer. Try again in a few minutes.',
    {
      retryable: true,
      scope: 'service',
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

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(seconds: number): void {
    this.stop();
    this.timer = setTimeout(() => this.controller.abort(), seconds * 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
