import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider } from '#libs/ai/engine.js';

/**
 * Asks `main`, and `fallback` where main cannot answer whatever it is asked: it is away, faulty, busy, held back by its
 * breaker, or refuses our account. What lies in the request itself is not asked twice, and neither is an answer that
 * broke off after its first piece: the job platform begins a new attempt, from the start of the text.
 * @param onFallback told why, each time the fallback is asked
 */
export function withFallback(
  main: AiProvider,
  fallback: AiProvider,
  onFallback: (error: EngineError) => void,
): AiProvider {
  /** @returns the failure of main that sends a call to the fallback. @throws `error` where none may be sent */
  const requireOutage = (error: unknown, signal: AbortSignal): EngineError => {
    signal.throwIfAborted();
    if (!(error instanceof EngineError) || error.scope === 'request') throw error;
    onFallback(error);
    return error;
  };

  async function either<T>(signal: AbortSignal, call: (provider: AiProvider) => Promise<T>): Promise<T> {
    try {
      return await call(main);
    } catch (error) {
      const outage = requireOutage(error, signal);
      return call(fallback).catch((second: unknown) => {
        throw worse(outage, second);
      });
    }
  }

  return {
    ...main,
    async *streamChat(request, signal) {
      let outage: EngineError;
      let begun = false;
      try {
        for await (const piece of main.streamChat(request, signal)) {
          begun = true;
          yield piece;
        }
        return;
      } catch (error) {
        if (begun) throw error;
        outage = requireOutage(error, signal);
      }
      try {
        yield* fallback.streamChat(request, signal);
      } catch (second) {
        throw worse(outage, second);
      }
    },
    generateImage: (request, signal) => either(signal, (provider) => provider.generateImage(request, signal)),
    editImage: (request, signal) => either(signal, (provider) => provider.editImage(request, signal)),
  };
}

/** Which of two failures a job is told: one that may pass, and rather one that came of a call than one that was held. */
function worse(main: EngineError, second: unknown): unknown {
  if (!(second instanceof EngineError) || second.scope === 'request') return second;
  const shown = named(second);
  if (main.retryable !== shown.retryable) return main.retryable ? main : shown;
  if (main.scope === 'held' && shown.scope === 'held') return sooner(main, shown);
  return shown.scope === 'held' ? main : shown;
}

const sooner = (one: EngineError, other: EngineError) =>
  (one.retryAfterMs ?? 0) <= (other.retryAfterMs ?? 0) ? one : other;

/** The words for an operator name the variables of the fallback. */
function named(error: EngineError): EngineError {
  const message = error.message
    .replace(/OPENAI_(API_KEY|BASE_URL)/g, 'AI_FALLBACK_$1')
    .replace(/\bAI_(TEXT|IMAGE)_MODEL/g, 'AI_FALLBACK_$1_MODEL');
  return new EngineError(message, { ...error, cause: error.cause });
}
