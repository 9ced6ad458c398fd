/** `npm start`: the whole product on this machine, with an embedded default for each service that is not named. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sayBanner } from './banner.ts';
import { build } from './build.ts';
import { aborted, runCommand, tellStopping } from './command.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { openDatabase } from './database.ts';
import { dataFolderPath, readEnvFile, readSettings, type Settings } from './environment.ts';
import { freePort, isPortFree } from './ports.ts';
import { startPrograms } from './programs.ts';
import { Refusal, say } from './terminal.ts';

await runCommand(async (command) => {
  const { signal, cleanup } = command;
  readEnvFile();
  const folder = openDataFolder(dataFolderPath());
  cleanup.defer(folder.release);

  await build('servers', signal);
  // Port 0 asks for any free one; the programs have to be told which.
  if (process.env.PORT?.trim() === '0') process.env.PORT = String(await freePort());
  const settings = await readSettings(folder);
  await takePort(settings, folder, signal);
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

/** Programs of a start that was killed stop by themselves, and hold the port until then. */
async function takePort({ config }: Settings, folder: DataFolder, signal: AbortSignal) {
  const until = performance.now() + (folder.leftInHaste ? (config.shutdownSeconds + 5) * 1000 : 0);
  for (let told = false; !(await isFree(config.port, config.host)); told = true) {
    if (performance.now() > until) {
      throw new Refusal(`Another program already listens on port ${config.port} of ${config.host}: stop it, or choose another port, such as PORT=${config.port + 1} npm start.`);
    }
    if (!told) say('The last start was killed; waiting for its programs to stop.');
    await sleep(200, undefined, { signal });
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    throw new Refusal(`Pressroom cannot listen on port ${port} of ${host}: ${(error as Error).message}.`);
  }
}
