import type { OpenAiConfig } from '#libs/config/environment.js';
import type { Engine } from './engine.js';
import { createOpenAiProvider } from './openai/provider.js';

/** The engine that the configuration names: a provider where there is a key for one, else the offline engine. */
export function createEngine(config: OpenAiConfig | null): Engine {
  return { provider: config ? createOpenAiProvider(config) : null };
}
