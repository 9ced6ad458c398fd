/** `node fetch-model.ts <folder> <registry> <entry as JSON>`: fetches a model in a process of its own, for tests that kill it. */
import { systemClock } from '#libs/config/clock.js';
import type { ModelEntry } from '#libs/models/catalogue.js';
import { fetchModel } from '#libs/models/fetch-model.js';
import { lockFolder } from '#libs/models/folder-lock.js';
import { ModelFolder } from '#libs/models/model-folder.js';

const [path = '', registry = '', entry = ''] = process.argv.slice(2);
const model = JSON.parse(entry) as ModelEntry;
const folder = new ModelFolder(path);
const { signal } = new AbortController();
const unlock = await lockFolder(path, signal, systemClock);
if (!(await folder.has('tiny', model))) {
  await fetchModel('tiny', model, folder, {
    signal,
    npm: async ([command]) => {
      if (command === 'config') return registry;
      throw new Error('This npm packs nothing.');
    },
  });
}
unlock();
