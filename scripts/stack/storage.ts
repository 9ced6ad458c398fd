import type { Settings } from './environment.ts';
import { WrongConfiguration } from './terminal.ts';
import { waitWhile } from './wait-while.ts';

const RETRY_MS = 1_000;

/**
 * Creates the bucket or the folder of objects if it is missing. Waits for a store that does not answer. Needs the servers
 * to be built.
 * @throws WrongConfiguration when the store refuses its configuration
 */
export async function openStorage({ config }: Pick<Settings, 'config'>, signal: AbortSignal): Promise<void> {
  const { createObjectStore } = await import('#libs/storage/create-object-store.js');
  const { StoreError, StoreRefused } = await import('#libs/storage/object-store.js');
  const store = await createObjectStore(config.storage);
  const problemOf = async () => {
    try {
      await store.prepare();
      return null;
    } catch (error) {
      if (error instanceof StoreRefused) throw new WrongConfiguration(error.message);
      if (error instanceof StoreError) return error.message;
      throw error;
    }
  };
  await waitWhile(problemOf, { everyMs: RETRY_MS, signal });
}
