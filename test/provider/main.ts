import { parseArgs } from 'node:util';
import { startFakeProvider } from './server.ts';

/**
 * `npx node test/provider/main.ts --port 4100 [--pace 20] [--partials refuse]`: the fake provider alone, for trying
 * things by hand. `npx` takes the Node.js of the project. With `refuse` it streams no pictures, with `ignore` it answers as
 * if it had not been asked to.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4100' },
    pace: { type: 'string', default: '20' },
    partials: { type: 'string' },
  },
});
const { partials } = values;
if (partials !== undefined && partials !== 'refuse' && partials !== 'ignore')
  throw new Error('--partials takes refuse or ignore.');
const provider = await startFakeProvider({
  port: Number(values.port),
  defaults: { paceMs: Number(values.pace), partials },
});
console.log(`OPENAI_API_KEY=any OPENAI_BASE_URL=${provider.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void provider.close().then(() => process.exit(0)));
}
