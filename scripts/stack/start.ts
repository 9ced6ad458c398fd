/** `npm start`: the whole product on this machine, with an embedded default for each service without a setting. */
import { printBanner } from './banner.ts';
import { build } from './build.ts';
import { aborted, printOnStop, runCommand } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { openDatabase } from './database.ts';
import { dataFolderPath, readEnvFile, readSettings } from './environment.ts';
import { freePort, requirePort } from './ports.ts';
import { openStorage } from './storage.ts';
import { startPrograms } from './programs.ts';
import { print } from './terminal.ts';

await runCommand(async (command) => {
  const { signal, cleanup } = command;
  readEnvFile();
  const folder = openDataFolder(dataFolderPath());
  cleanup.defer(folder.release);

  await build('servers', signal);
  // Port 0 stands for any free port.
  if (process.env.PORT?.trim() === '0') process.env.PORT = String(await freePort());
  const settings = await readSettings(folder);
  await requirePort(settings.config, folder, signal);
  folder.setRunning(settings.config.publicUrl, null);

  const services = settleBoth(openDatabase(command, folder, settings), openStorage(settings, signal));
  const [[database]] = await settleBoth(services, buildWeb(signal));
  folder.setRunning(settings.config.publicUrl, database.url);
  const programs = startPrograms(command, folder, settings, database);
  await programs.ready();
  printBanner(settings.config.publicUrl, settings.config, database, folder);
  printOnStop(signal);
  await Promise.race([aborted(signal), programs.refused]);
});

async function buildWeb(signal: AbortSignal) {
  const slow = setTimeout(() => print('Building the web client.'), 500);
  try {
    await build('web', signal);
  } finally {
    clearTimeout(slow);
  }
}

/** Like Promise.all, but rejects only when both have settled, so that the cleanup covers both. */
async function settleBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
