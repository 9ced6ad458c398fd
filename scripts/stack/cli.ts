/** `npm run cli`: the operator commands, on the database that DATABASE_URL names or a running `npm start` uses. */
import { spawn } from 'node:child_process';
import { build } from './build.ts';
import { readRunning } from './data-folder.ts';
import { dataFolderPath, readEnvFile } from './environment.ts';
import { ended } from './processes.ts';
import { inRoot } from './root.ts';
import { Refusal, sayFailure } from './terminal.ts';

try {
  readEnvFile();
  await build('servers');
  const cli = spawn(
    process.execPath,
    ['--enable-source-maps', inRoot('dist/scripts/cli.js'), ...process.argv.slice(2)],
    {
      cwd: inRoot(),
      env: { ...process.env, DATABASE_URL: process.env.DATABASE_URL || embeddedUrl() },
      stdio: 'inherit',
    },
  );
  process.exitCode = (await ended(cli)).code ?? 1;
} catch (error) {
  sayFailure(error);
  process.exitCode = 1;
}

/** The database of a start that runs on the same data folder. */
function embeddedUrl(): string {
  const url = readRunning(dataFolderPath())?.databaseUrl;
  if (url) return url;
  throw new Refusal(
    'There is no database to work on: set DATABASE_URL, or run `npm start` in another terminal, whose database is then used.',
  );
}
