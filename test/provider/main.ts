import { parseArgs } from 'node:util';
import { startFakeProvider } from './server.ts';

/** `node test/provider/main.ts --port 4100 [--pace 20]`: the fake provider alone, for trying things by hand. */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '4100' }, throughput: { type: 'string', default: '20' } },
});
const provider = await startFakeProvider({
  port: Number(values.port),
  defaults: { paceMs: Number(values.throughput) },
});
console.log(`OPENAI_API_KEY=any OPENAI_BASE_URL=${provider.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void provider.close().then(() => process.exit(0)));
}
