import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider } from './engine.js';

/**
 * Calls `fallback` when `main` fails for a reason outside of the request: it is down, busy, rejected by its breaker, or
 * rejects the account. A stream that fails after its first piece is not repeated: the job gets a new attempt.
 * @param onFallback called with the main provider's error before each call of the fallback
 */
export function withFallback(
  main: AiProvider,
  fallback: AiProvider,
  onFallback: (error: EngineError) => void,
): AiProvider {
  /** @returns the error if the fallback may be called for it. @throws it otherwise */
  const requireOutage = (error: unknown, signal: AbortSignal): EngineError => {
    signal.throwIfAborted();
    if (!(error instanceof EngineError) || error.scope === 'request') throw error;
    onFallback(error);
    return error;
  };

  async function withEither<T>(signal: AbortSignal, call: (provider: AiProvider) => Promise<T>): Promise<T> {
    try {
      return await call(main);
    } catch (error) {
      const outage = requireOutage(error, signal);
      return call(fallback).catch((second: unknown) => {
        throw errorToReport(outage, second);
      });
    }
  }

  return {
    ...main,
    async *streamChat(request, signal) {
      let outage: EngineError;
      let started = false;
      try {
        for await (const piece of main.streamChat(request, signal)) {
          started = true;
          yield piece;
        }
        return;
      } catch (error) {
        if (started) throw error;
        outage = requireOutage(error, signal);
      }
      try {
        yield* fallback.streamChat(request, signal);
      } catch (second) {
        throw errorToReport(outage, second);
      }
    },
    generateImage: (request, signal) =>
      withEither(signal, (provider) => provider.generateImage(request, signal)),
    editImage: (request, signal) => withEither(signal, (provider) => provider.editImage(request, signal)),
  };
}

/** The error that the job gets: preferably a retryable one, then one of a real call rather than of a breaker. */
function errorToReport(main: EngineError, second: unknown): unknown {
  if (!(second instanceof EngineError) || second.scope === 'request') return second;
  const fallback = withFallbackVariables(second);
  if (main.retryable !== fallback.retryable) return main.retryable ? main : fallback;
  if (main.scope === 'held' && fallback.scope === 'held') return sooner(main, fallback);
  return fallback.scope === 'held' ? main : fallback;
}

const sooner = (one: EngineError, other: EngineError) =>
  (one.retryAfterMs ?? 0) <= (other.retryAfterMs ?? 0) ? one : other;

function withFallbackVariables(error: EngineError): EngineError {
  const message = error.message
    .replace(/OPENAI_(API_KEY|BASE_URL)/g, 'AI_FALLBACK_$1')
    .replace(/\bAI_(TEXT|IMAGE)_MODEL/g, 'AI_FALLBACK_$1_MODEL');
  return new EngineError(message, { ...error, cause: error.cause });
}
