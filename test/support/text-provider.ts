import { afterAll, beforeAll } from '@jest/globals';
import type { AiProvider } from '#libs/ai/engine.js';
import { createOpenAiProvider } from '#libs/ai/openai-provider.js';
import { configOf } from '../provider/config.js';
import { startProvider, type Provider } from '../provider/server.js';

/** The stand-in, and our own client of it. */
export interface TextProvider {
  readonly standIn: Provider;
  readonly provider: AiProvider;
  /** Another client, that has learned nothing of the stand-in yet. */
  connect(): AiProvider;
}

/** Starts the provider's stand-in before the tests of a file, for handlers of tools that write text. */
export function useTextProvider(): TextProvider {
  let standIn: Provider;
  let provider: AiProvider;
  const connect = () => createOpenAiProvider(configOf(standIn));
  beforeAll(async () => {
    standIn = await startProvider();
    provider = connect();
  });
  afterAll(() => standIn?.close());
  return {
    get standIn() {
      return standIn;
    },
    get provider() {
      return provider;
    },
    connect,
  };
}
