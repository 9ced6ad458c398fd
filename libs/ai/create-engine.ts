import type { AiConfig } from '#libs/config/environment.js';
import type { BreakerState, Engine } from './engine.js';
import type { EngineError } from '#libs/contract/engine-error.js';
import { observeProvider, type ProviderCall } from './observed-provider.js';
import { createOpenAiProvider } from './openai/provider.js';
import { Breaker } from './outage/breaker.js';
import { withFallback } from './outage/fallback-provider.js';
import { guardProvider } from './outage/guarded-provider.js';

/** What an engine tells an operator. */
export interface EngineLog {
  breakerChanged: (breaker: BreakerState) => void;
  askedFallback: (error: EngineError) => void;
  called: (call: ProviderCall) => void;
}

/** The engine that the configuration names: a provider where there is a key for one, else the offline engine. */
export function createEngine(config: AiConfig | null, log: EngineLog): Engine {
  if (!config) return { provider: null, breakers: [] };
  const breakers: Breaker[] = [];
  const open = (provider: BreakerState['provider'], of: AiConfig['main']) => {
    const breaker = (kind: BreakerState['kind']) => {
      const made = new Breaker({ provider, kind, ...config.breaker, onChange: log.breakerChanged });
      breakers.push(made);
      return made;
    };
    const asked = observeProvider(createOpenAiProvider(of), of.imageModel, log.called);
    return guardProvider(asked, { text: breaker('text'), image: breaker('image') });
  };
  const main = open('main', config.main);
  if (!config.fallback) return { provider: main, breakers };
  return { provider: withFallback(main, open('fallback', config.fallback), log.askedFallback), breakers };
}
