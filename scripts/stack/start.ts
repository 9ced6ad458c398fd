/** `npm start`: the whole product on this machine, with an embedded default for each service that is not named. */
import { sayBanner } from './banner.ts';
import { build } from './build.ts';
import { aborted, runCommand, tellStopping } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { openDatabase } from './database.ts';
import { dataFolderPath, readEnvFile, readSettings } from './environment.ts';
import { freePort, requirePort } from './ports.ts';
import { startPrograms } from './programs.ts';
import { say } from './terminal.ts';

await runCommand(async (command) => {
  const { signal, cleanup } = command;
  readEnvFile();
  const folder = openDataFolder(dataFolderPath());
  cleanup.defer(folder.release);

  await build('servers', signal);
  // Port 0 asks for any free one; the programs have to be told which.
  if (process.env.PORT?.trim() === '0') process.env.PORT = String(await freePort());
  const settings = await readSettings(folder);
  await requirePort(settings.config, folder, signal);
  folder.announce(settings.config.publicUrl, null);

  const [database] = await allOrNone(openDatabase(command, folder, settings), buildWeb(signal));
  folder.announce(settings.config.publicUrl, database.url);
  const programs = startPrograms(command, folder, settings, database);
  await programs.ready();
  sayBanner(settings.config.publicUrl, settings.config, database, folder);
  tellStopping(signal);
  await Promise.race([aborted(signal), programs.refused]);
});

async function buildWeb(signal: AbortSignal) {
  const slow = setTimeout(() => say('Building the web client.'), 500);
  try {
    await build('web', signal);
  } finally {
    clearTimeout(slow);
  }
}

/** What both give; a failure of one is told only when the other has ended too, so that cleaning up misses nothing. */
async function allOrNone<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
