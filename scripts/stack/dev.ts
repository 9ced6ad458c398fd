/** `npm run dev`: the product with the servers rebuilt and started again on a change, and the web client refreshed. */
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'vite';
import { printBanner } from './banner.ts';
import { build } from './build.ts';
import { aborted, printOnStop, runCommand, type Command } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { migrate, openDatabase } from './database.ts';
import { dataFolderPath, readEnvFile, readSettings } from './environment.ts';
import { freePort, requirePort } from './ports.ts';
import { localAddress, startPrograms } from './programs.ts';
import { inRoot } from './root.ts';
import { print, printError } from './terminal.ts';

/** Editors write several files at once. */
const DEBOUNCE_MS = 100;

await runCommand(async (command) => {
  const { signal, cleanup } = command;
  readEnvFile();
  const folder = openDataFolder(dataFolderPath());
  cleanup.defer(folder.release);
  await build('servers', signal);

  // The web client's server listens on PORT and proxies calls to the api, which gets another port.
  const { config: external } = await readSettings(folder);
  await requirePort(external, folder, signal);
  Object.assign(process.env, {
    PUBLIC_URL: external.publicUrl,
    PORT: String(await freePort()),
    NODE_ENV: process.env.NODE_ENV ?? 'development',
  });
  const settings = await readSettings(folder);
  folder.setRunning(external.publicUrl, null);
  const database = await openDatabase(command, folder, settings);
  folder.setRunning(external.publicUrl, database.url);

  let programs = startPrograms(command, folder, settings, database);
  await programs.ready();
  await serveWeb(command, { port: external.port, host: external.host, api: localAddress(settings) });
  printBanner(external.publicUrl, settings.config, database, folder);
  print('The servers start again, and the browser refreshes, when a source changes.');
  printOnStop(signal);

  for await (const startedAt of serverChanges(signal)) {
    try {
      if (!(await build('servers', signal))) continue;
      await migrate(database.url, settings.environment, signal);
      await programs.stop();
    } catch (error) {
      if (!signal.aborted) printError(error);
      continue;
    }
    programs = startPrograms(command, folder, settings, database);
    // Not awaited: an error is printed, and the next change may fix it.
    programs.ready().then(() => printRestarted(startedAt), printUnlessStopped);
  }
});

/** Yields the time of each change of the servers' sources, debounced. */
async function* serverChanges(signal: AbortSignal): AsyncGenerator<number> {
  let change = Promise.withResolvers<void>();
  for (const folder of ['api', 'worker', 'libs']) {
    watch(inRoot(folder), { recursive: true, signal }, () => change.resolve());
  }
  for (;;) {
    await Promise.race([change.promise, aborted(signal)]);
    if (signal.aborted) return;
    const startedAt = performance.now();
    await sleep(DEBOUNCE_MS);
    change = Promise.withResolvers();
    yield startedAt;
  }
}

function printRestarted(startedAt: number) {
  print(
    `The servers run the changed sources, after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`,
  );
}

/** Programs that the next change stopped before they were ready have not failed. */
function printUnlessStopped(error: unknown) {
  if (!(error instanceof Error && error.name === 'AbortError')) printError(error);
}

async function serveWeb(
  { cleanup }: Command,
  { host, port, api }: { host: string; port: number; api: string },
) {
  // vite.config.ts reads it.
  process.env.API_URL = api;
  const vite = await createServer({
    configFile: inRoot('web/vite.config.ts'),
    server: { host, port, strictPort: true },
    logLevel: 'warn',
    clearScreen: false,
  });
  cleanup.defer(() => vite.close());
  await vite.listen();
}
