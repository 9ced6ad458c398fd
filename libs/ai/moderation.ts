import { z } from 'zod';
import type { AiConfig, OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine.js';
import { Breaker } from './breaker.js';
import type { EngineLog } from './create-engine.js';
import type { BreakerState, Moderate } from './engine.js';
import { observeModeration } from './observed-provider.js';
import { readTokenUsage, type SentUsage } from './token-usage.js';

const TIMEOUT_SECONDS = 20;

const answerSchema = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) });

/** The call of a moderation model, with its circuit breaker. Null if none is configured. */
export interface Moderation {
  model: string;
  moderate: Moderate;
  breakers: readonly BreakerState[];
}

export async function createModeration(
  config: AiConfig | null,
  log: Pick<EngineLog, 'breakerChanged' | 'called'>,
): Promise<Moderation | null> {
  if (!config || config.moderationModel === null) return null;
  const breaker = new Breaker({
    ...{ provider: 'main', kind: 'moderation' },
    ...config.breaker,
    onChange: log.breakerChanged,
  });
  const { moderationModel: model } = config;
  const moderate = observeModeration(await connect(config.main, model), model, log.called);
  return {
    model,
    moderate: (request, signal) => breaker.run(() => moderate(request, signal)),
    breakers: [breaker],
  };
}

/** Calls `POST /v1/moderations`. An answer that cannot be read is an error of the service. */
async function connect(config: OpenAiConfig, model: string): Promise<Moderate> {
  const [{ createClient }, { toEngineError }] = await Promise.all([
    import('./openai-provider.js'),
    import('./openai-errors.js'),
  ]);
  const client = createClient(config);
  return async ({ text, image, onResponse }, signal) => {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
    const url = `data:${image.mediaType};base64,${image.bytes.toString('base64')}`;
    const input = [
      ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
      { type: 'image_url' as const, image_url: { url } },
    ];
    try {
      const answer: unknown = await client.moderations.create(
        { model, input },
        { signal: AbortSignal.any([signal, timeout]) },
      );
      onResponse?.({
        usage: readTokenUsage((answer as { usage?: SentUsage } | null)?.usage),
        inputCharacters: text.length,
        outputCharacters: 0,
        images: 1,
      });
      return answerSchema.parse(answer).results.some(({ flagged }) => flagged);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw failed('timeout', `no answer in ${TIMEOUT_SECONDS} s`);
      if (error instanceof z.ZodError) throw failed('unreadable', 'the answer has no results');
      throw toEngineError(error, { apiKey: config.apiKey, answering: false });
    }
  };
}

const failed = (providerCode: string, why: string) =>
  new EngineError('The AI service did not check the picture.', {
    retryable: true,
    scope: 'service',
    providerCode,
    cause: new Error(why),
  });
