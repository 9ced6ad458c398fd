import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from './environment.ts';
import { WrongConfiguration } from './terminal.ts';
import { WaitingNotes } from './waiting-notes.ts';

const RETRY_MS = 1_000;

/**
 * Makes the bucket or the folder of objects unless it is there. Waits for a store that does not answer. Needs the servers
 * to be built.
 * @throws WrongConfiguration when the store refuses to be used as it is configured
 */
export async function openStorage({ config }: Pick<Settings, 'config'>, signal: AbortSignal): Promise<void> {
  const { createObjectStore } = await import('#libs/storage/create-object-store.js');
  const { StoreError, StoreRefused } = await import('#libs/storage/object-store.js');
  const store = await createObjectStore(config.storage);
  const waiting = new WaitingNotes();
  for (;;) {
    try {
      return await store.prepare();
    } catch (error) {
      if (error instanceof StoreRefused) throw new WrongConfiguration(error.message);
      if (!(error instanceof StoreError)) throw error;
      waiting.note(error.message);
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
