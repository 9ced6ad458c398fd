/**
 * `npm run bench`: what our own layers cost, each beside the bare parts it is built on, in one run on this machine.
 * `npm run bench -- submit` runs one of them; so do `stream`, `throughput`, `premium` and `recovery`.
 */
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { migrate } from '../stack/database.ts';
import { ensureDatabase, startTemporaryPostgres } from '../stack/postgres.ts';
import { CommandError } from '../stack/terminal.ts';
import { benchPremium } from './premium.ts';
import { benchRecovery } from './recovery.ts';
import { benchStream } from './stream.ts';
import { benchSubmit } from './submit.ts';
import { benchThroughput } from './throughput.ts';

const benches = {
  submit: benchSubmit,
  stream: benchStream,
  throughput: benchThroughput,
  premium: benchPremium,
  recovery: benchRecovery,
};
type Name = keyof typeof benches;

await runCommand(async ({ cleanup }) => {
  const names = chosen(process.argv.slice(2));
  await build('servers');
  const postgres = await startTemporaryPostgres();
  cleanup.defer(postgres.stop);
  for (const name of names) {
    const database = `bench_${name}`;
    await ensureDatabase(postgres, database);
    await migrate(postgres.url(database), { PATH: process.env.PATH });
    await benches[name](postgres.url(database));
  }
});

function chosen(given: string[]): Name[] {
  const all = Object.keys(benches) as Name[];
  const unknown = given.filter((name) => !all.includes(name as Name));
  if (unknown.length > 0)
    throw new CommandError(`There is no bench named ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  return given.length > 0 ? (given as Name[]) : all;
}
