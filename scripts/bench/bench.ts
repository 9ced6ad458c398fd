/**
 * `npm run bench`: measures the overhead of Pressroom over its libraries, on this machine. `npm run bench -- submit` runs only
 * the bench `submit`; with `--profile`, it profiles the load instead. `npm run bench -- attacks 13 16` runs only these
 * attacks, with `--redis` on Redis. Exits with 1 if a figure is not as asked, or if a bench by name cannot run.
 */
import { parseArgs } from 'node:util';
import { findProgram } from '../../test/support/machine-programs.ts';
import { build } from '../stack/build.ts';
import { choose } from '../stack/choose.ts';
import { runCommand } from '../stack/command.ts';
import { migrate } from '../stack/database.ts';
import { ensureDatabase, startTemporaryPostgres } from '../stack/postgres.ts';
import { CommandError, print } from '../stack/terminal.ts';
import { benchAttacks, type AttackOptions } from './attacks.ts';
import { benchFairness } from './fairness.ts';
import { benchFleet } from './fleet.ts';
import { benchPremium } from './premium.ts';
import { benchRecovery } from './recovery.ts';
import { benchRetention } from './retention.ts';
import { benchScale } from './scale.ts';
import { benchSockets } from './sockets.ts';
import { benchStart } from './start.ts';
import { benchStream } from './stream.ts';
import { profileSubmit, STATEMENT_STATISTICS } from './submit-profile.ts';
import { benchSubmit } from './submit.ts';
import { benchThroughput } from './throughput.ts';

/** @returns false if a figure is not as asked */
type Bench = (databaseUrl: string, attacks: AttackOptions) => Promise<boolean | void>;

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
  retention: benchRetention,
  start: benchStart,
};

/** Programs of the machine without which a bench measures nothing. */
const needed: Partial<Record<keyof typeof benches, 'redis' | 'browser'>> = {
  stream: 'browser',
  throughput: 'redis',
  fleet: 'redis',
  fairness: 'redis',
  premium: 'redis',
  recovery: 'redis',
};

await runCommand(async ({ cleanup }) => {
  const { values, positionals } = parseArgs({
    options: { profile: { type: 'boolean', default: false }, redis: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const given = Object.groupBy(positionals, (one) => (/^\d+$/.test(one) ? 'numbers' : 'names'));
  const names = choose('bench', Object.keys(benches) as (keyof typeof benches)[], given.names ?? []);
  const numbers = given.numbers?.map(Number) ?? [];
  if (values.profile && names.some((name) => name !== 'submit'))
    throw new CommandError('Only the bench submit has a profile: npm run bench -- submit --profile');
  if (numbers.length > 0 && names.join() !== 'attacks')
    throw new CommandError('Numbers are for the attacks: npm run bench -- attacks 13.');
  if (values.redis && names.join() !== 'attacks')
    throw new CommandError('Only the attacks have a choice of the queue: npm run bench -- attacks --redis.');
  if (values.redis && !findProgram('redis')) throw new CommandError('There is no redis-server on the path.');
  await build('servers');
  const settings = { max_connections: '200', ...(values.profile && STATEMENT_STATISTICS) };
  const postgres = await startTemporaryPostgres({ settings });
  cleanup.defer(postgres.stop);
  let exitCode = 0;
  for (const name of names) {
    const program = needed[name];
    if (program && !findProgram(program)) {
      print(
        `${name}: skipped, because this machine has no ${program === 'redis' ? 'redis-server' : 'Chromium'}.`,
      );
      if (given.names) exitCode = 1;
      continue;
    }
    const database = `bench_${name}`;
    await ensureDatabase(postgres, database);
    await migrate(postgres.url(database), { PATH: process.env.PATH });
    const bench: Bench = values.profile ? profileSubmit : benches[name];
    if ((await bench(postgres.url(database), { numbers, redis: values.redis })) === false) exitCode = 1;
  }
  return exitCode;
});
