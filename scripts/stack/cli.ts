/** `npm run cli`: the operator commands, on the database of DATABASE_URL or of a running `npm start`. */
import { execa } from 'execa';
import { build } from './build.ts';
import { dataFolderPath, readEnvFile, readRunningSettings } from './environment.ts';
import { inRoot } from './root.ts';
import { exitCodeOf, printError, WrongConfiguration } from './terminal.ts';

const NO_DATABASE =
  'There is no database to work on: set DATABASE_URL, or run `npm start` in another terminal, whose database is then used. With docker compose, run `docker compose exec api node dist/scripts/cli.js` with the same arguments.';

try {
  readEnvFile();
  const args = process.argv.slice(2);
  const settings = readRunningSettings(dataFolderPath());
  const needsNoDatabase =
    args.length === 0 || args.some((arg) => ['doctor', 'help', '--help', '-h'].includes(arg));
  if (!settings.DATABASE_URL && !needsNoDatabase) throw new WrongConfiguration(NO_DATABASE);
  await build('servers');
  const cli = ['--enable-source-maps', inRoot('dist/scripts/cli.js'), ...args];
  const { exitCode } = await execa(process.execPath, cli, {
    cwd: inRoot(),
    env: settings,
    stdio: 'inherit',
    reject: false,
  });
  process.exitCode = exitCode ?? 1;
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
