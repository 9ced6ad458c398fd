import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider } from './engine.js';

/**
 * Calls `fallback` if `main` fails for any reason except the request itself: it is down or busy, its breaker is open, or it
 * rejects our account. A stream that fails after its first chunk is not repeated here, because the job has already published
 * text of it; the job is retried instead.
 * @param onFallback called with the error of `main` before each call of `fallback`
 */
export function withFallback(
  main: AiProvider,
  fallback: AiProvider,
  onFallback: (error: EngineError) => void,
): AiProvider {
  /** @returns the error if the fallback should be called; otherwise throws the error */
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

/**
 * Selects which of the two providers' errors the job gets: a retryable error rather than a final one, and the error of a
 * call rather than a rejection by a breaker.
 */
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
