import type { AiConfig } from '#libs/config/environment.js';
import type { BreakerState, Engine, ProviderCall } from './engine.js';
import type { EngineError } from '#libs/contract/engine.js';
import { observeProvider } from './observed-provider.js';
import { Breaker } from './breaker.js';
import { withFallback } from './fallback-provider.js';
import { guardProvider } from './guarded-provider.js';

export interface EngineLog {
  breakerChanged: (breaker: BreakerState) => void;
  askedFallback: (error: EngineError) => void;
  called: (call: ProviderCall) => void;
}

/** Creates the engine of the configured AI service. Without configuration its `provider` is null, and tools run offline. */
export async function createEngine(config: AiConfig | null, log: EngineLog): Promise<Engine> {
  if (!config) return { provider: null, breakers: [] };
  const { createOpenAiProvider } = await import('./openai-provider.js');
  const breakers: Breaker[] = [];
  const connect = (provider: BreakerState['provider'], of: AiConfig['main']) => {
    const breaker = (kind: BreakerState['kind']) => {
      const created = new Breaker({ provider, kind, ...config.breaker, onChange: log.breakerChanged });
      breakers.push(created);
      return created;
    };
    const observed = observeProvider(createOpenAiProvider(of), provider, log.called);
    return guardProvider(observed, { text: breaker('text'), image: breaker('image') });
  };
  const main = connect('main', config.main);
  if (!config.fallback) return { provider: main, breakers };
  return { provider: withFallback(main, connect('fallback', config.fallback), log.askedFallback), breakers };
}
