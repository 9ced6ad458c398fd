/** `npm run cli`: the operator commands, on the database that DATABASE_URL names or a running `npm start` uses. */
import { spawn } from 'node:child_process';
import { build } from './build.ts';
import { readRunning } from './data-folder.ts';
import { dataFolderPath, readEnvFile } from './environment.ts';
import { ended } from './processes.ts';
import { inRoot } from './root.ts';
import { Refusal, sayFailure } from './terminal.ts';

const NO_DATABASE =
  'There is no database to work on: set DATABASE_URL, or run `npm start` in another terminal, whose database is then used.';

try {
  readEnvFile();
  const args = process.argv.slice(2);
  const url = process.env.DATABASE_URL?.trim() || readRunning(dataFolderPath())?.databaseUrl;
  const asksForHelp = args.length === 0 || args.some((arg) => ['help', '--help', '-h'].includes(arg));
  if (!url && !asksForHelp) throw new Refusal(NO_DATABASE);
  await build('servers');
  const cli = spawn(process.execPath, ['--enable-source-maps', inRoot('dist/scripts/cli.js'), ...args], {
    cwd: inRoot(),
    env: { ...process.env, ...(url ? { DATABASE_URL: url } : {}) },
    stdio: 'inherit',
  });
  process.exitCode = (await ended(cli)).code ?? 1;
} catch (error) {
  sayFailure(error);
  process.exitCode = 1;
}
