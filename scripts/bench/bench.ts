/**
 * `npm run bench`: measures the overhead of Pressroom over its libraries, on this machine. `npm run bench -- submit` runs only
 * the bench `submit`.
 */
import { build } from '../stack/build.ts';
import { choose } from '../stack/choose.ts';
import { runCommand } from '../stack/command.ts';
import { migrate } from '../stack/database.ts';
import { ensureDatabase, startTemporaryPostgres } from '../stack/postgres.ts';
import { benchAttacks } from './attacks.ts';
import { benchFairness } from './fairness.ts';
import { benchFleet } from './fleet.ts';
import { benchPremium } from './premium.ts';
import { benchRecovery } from './recovery.ts';
import { benchScale } from './scale.ts';
import { benchSockets } from './sockets.ts';
import { benchStart } from './start.ts';
import { benchStream } from './stream.ts';
import { benchSubmit } from './submit.ts';
import { benchThroughput } from './throughput.ts';

const benches = {
  submit: benchSubmit,
  stream: benchStream,
  sockets: benchSockets,
  throughput: benchThroughput,
  scale: benchScale,
  fleet: benchFleet,
  fairness: benchFairness,
  premium: benchPremium,
  recovery: benchRecovery,
  attacks: benchAttacks,
  start: benchStart,
};

await runCommand(async ({ cleanup }) => {
  const names = choose('bench', Object.keys(benches) as (keyof typeof benches)[]);
  await build('servers');
  const postgres = await startTemporaryPostgres({ settings: { max_connections: '200' } });
  cleanup.defer(postgres.stop);
  for (const name of names) {
    const database = `bench_${name}`;
    await ensureDatabase(postgres, database);
    await migrate(postgres.url(database), { PATH: process.env.PATH });
    await benches[name](postgres.url(database));
  }
});
