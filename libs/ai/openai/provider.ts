import OpenAI, { APIError } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider, ChatRequest } from '#libs/ai/engine.js';
import { answerCut, answerEmpty, answerRefused, toEngineError } from './errors.js';
import { createImageCalls } from './images.js';
import { createPatience } from './patience.js';

const OPENAI_URL = 'https://api.openai.com/v1';

/**
 * Text and pictures from OpenAI, or from any server that speaks its protocol.
 *
 * A failed call is not repeated here: the job platform retries the job, with backoff. What is not in `config` is
 * not read from the environment either.
 */
export function createOpenAiProvider(config: OpenAiConfig): AiProvider {
  const baseURL = config.baseUrl ?? OPENAI_URL;
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    // Each wait is ended by a limit of our own; the client's must not come before it.
    timeout: (Math.max(config.firstTokenSeconds, config.imageSeconds) + 60) * 1000,
    logLevel: 'off',
  });

  /** Whether the server takes `response_format`; known once it has refused it. */
  let holdsToSchema = true;

  /** Whether the server takes `stream_options`; known once it has refused it. */
  let tellsUsage = true;

  /** Begins a stream that ends with what it took, where the server can say so. */
  async function create(body: ChatCompletionCreateParamsStreaming, signal: AbortSignal) {
    if (!tellsUsage) return client.chat.completions.create(body, { signal });
    try {
      const stream_options = { include_usage: true };
      return await client.chat.completions.create({ ...body, stream_options }, { signal });
    } catch (error) {
      if (!refusesUsage(error)) throw error;
      tellsUsage = false;
      return client.chat.completions.create(body, { signal });
    }
  }

  async function begin({ messages, json }: ChatRequest, signal: AbortSignal) {
    const plain = { model: config.textModel, messages, stream: true } as const;
    if (!json || !holdsToSchema) return create(plain, signal);
    const response_format = { type: 'json_schema', json_schema: { ...json, strict: true } } as const;
    try {
      return await create({ ...plain, response_format }, signal);
    } catch (error) {
      if (!refusesFormat(error)) throw error;
      const stream = await create(plain, signal);
      holdsToSchema = false;
      return stream;
    }
  }

  async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const patience = createPatience();
    let answering = false;
    let finish: string | null = null;
    let refused = false;
    let empty = true;
    try {
      patience.wait(config.firstTokenSeconds);
      const stream = await begin(request, AbortSignal.any([signal, patience.signal]));
      answering = true;
      for await (const chunk of stream) {
        signal.throwIfAborted();
        const { usage } = chunk;
        if (usage) request.onUsage?.({ input: usage.prompt_tokens, output: usage.completion_tokens });
        const choice = chunk.choices?.[0];
        if (!choice) continue;
        finish = choice.finish_reason ?? finish;
        refused ||= Boolean(choice.delta?.refusal);
        // No database stores U+0000, and no text means it.
        const text = choice.delta?.content?.replaceAll('\u0000', '');
        if (text) {
          patience.rest();
          empty &&= text.trim() === '';
          yield text;
        }
        if (text || isThinking(choice.delta)) patience.wait(config.idleSeconds);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (patience.signal.aborted) throw tooSlow(empty, config);
      // What breaks after the model said that it is done does not make its answer less whole.
      if (!finish) throw toEngineError(error, { apiKey: config.apiKey, answering });
    } finally {
      patience.rest();
    }
    // The client's loop ends without an error when its request is aborted.
    signal.throwIfAborted();
    if (refused || finish === 'content_filter') throw answerRefused();
    if (patience.signal.aborted && !finish) throw tooSlow(empty, config);
    if (!finish) throw answerCut();
    if (empty) throw answerEmpty();
  }

  return {
    name: 'openai',
    textModel: config.textModel,
    streamChat,
    ...createImageCalls(client, { ...config, baseUrl: baseURL }),
  };
}

/** A server that takes no field it does not know names this one, or says so. */
const refusesUsage = (error: unknown): boolean =>
  refusesFormat(error) &&
  /stream_options|include_usage|extra_forbidden|unrecognized|unknown (field|parameter|argument)/i.test(
    (error as APIError).message,
  );

/**
 * Servers that know no JSON schema answer 400 or 422, in words of their own; the same request without one then tells
 * whether that was the reason. A code of its own names another reason.
 */
function refusesFormat(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.status === 400 || error.status === 422) &&
    !['context_length_exceeded', 'content_filter', 'content_policy_violation'].includes(error.code ?? '')
  );
}

/** Reasoning models of several servers stream their thoughts in a field of their own: a sign of life, not text. */
function isThinking(delta: object | undefined): boolean {
  const { reasoning_content, reasoning } = (delta ?? {}) as {
    reasoning_content?: unknown;
    reasoning?: unknown;
  };
  return Boolean(reasoning_content ?? reasoning);
}

function tooSlow(nothingCame: boolean, { firstTokenSeconds, idleSeconds }: OpenAiConfig): EngineError {
  return new EngineError(
    nothingCame
      ? 'The AI service did not begin to answer in time. Try again in a few minutes.'
      : 'The AI service stopped in the middle of its answer. Try again in a few minutes.',
    {
      retryable: true,
      scope: 'service',
      cause: new Error(
        nothingCame ? `no token in ${firstTokenSeconds} s` : `no further token in ${idleSeconds} s`,
      ),
    },
  );
}
