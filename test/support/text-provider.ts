import { afterAll, beforeAll } from '@jest/globals';
import type { AiProvider } from '#libs/ai/engine.js';
import { providerOf } from '../provider/config.js';
import { startFakeProvider, type FakeProvider } from '../provider/server.js';

/** The fake provider, and our own client of it. */
export interface TextProvider {
  readonly fake: FakeProvider;
  readonly provider: AiProvider;
  /** Another client, without what the first learned of the fake provider. */
  connect(): AiProvider;
}

/** Starts the fake provider before the tests of a file, for handlers of tools that write text. */
export function useTextProvider(): TextProvider {
  let fake: FakeProvider;
  let provider: AiProvider;
  const connect = () => providerOf(fake);
  beforeAll(async () => {
    fake = await startFakeProvider();
    provider = connect();
  });
  afterAll(() => fake?.close());
  return {
    get fake() {
      return fake;
    },
    get provider() {
      return provider;
    },
    connect,
  };
}
