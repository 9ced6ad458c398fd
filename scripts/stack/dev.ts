/** `npm run dev`: the product with the servers rebuilt and started again on a change, and the web client refreshed. */
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'vite';
import { sayBanner } from './banner.ts';
import { build } from './build.ts';
import { aborted, runCommand, tellStopping, type Command } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { migrate, openDatabase } from './database.ts';
import { dataFolderPath, readEnvFile, readSettings } from './environment.ts';
import { freePort, requirePort } from './ports.ts';
import { localAddress, startPrograms } from './programs.ts';
import { inRoot } from './root.ts';
import { say, sayFailure } from './terminal.ts';

/** An editor writes several files at once. */
const SETTLE_MS = 100;

await runCommand(async (command) => {
  const { signal, cleanup } = command;
  readEnvFile();
  const folder = openDataFolder(dataFolderPath());
  cleanup.defer(folder.release);
  await build('servers', signal);

  // The user opens the web client's server on PORT; it passes calls on to the api on a port of its own.
  const { config: asked } = await readSettings(folder);
  await requirePort(asked, folder, signal);
  Object.assign(process.env, {
    PUBLIC_URL: asked.publicUrl,
    PORT: String(await freePort()),
    NODE_ENV: process.env.NODE_ENV ?? 'development',
  });
  const settings = await readSettings(folder);
  folder.announce(asked.publicUrl, null);
  const database = await openDatabase(command, folder, settings);
  folder.announce(asked.publicUrl, database.url);

  let programs = startPrograms(command, folder, settings, database);
  await programs.ready();
  await serveWeb(command, { port: asked.port, host: asked.host, api: localAddress(settings) });
  sayBanner(asked.publicUrl, settings.config, database, folder);
  say('The servers start again, and the browser refreshes, when a source changes.');
  tellStopping(signal);

  for await (const startedAt of serverChanges(signal)) {
    try {
      if (!(await build('servers', signal))) continue;
      await migrate(database.url, settings.environment, signal);
      await programs.stop();
    } catch (error) {
      if (!signal.aborted) sayFailure(error);
      continue;
    }
    programs = startPrograms(command, folder, settings, database);
    // Not waited for: what keeps them from starting is told, and may be mended by the next change.
    programs.ready().then(() => sayChanged(startedAt), sayUnlessStopped);
  }
});

/** Yields after each change of the servers' sources, once it has settled, the time of `performance.now()` then. */
async function* serverChanges(signal: AbortSignal): AsyncGenerator<number> {
  let change = Promise.withResolvers<void>();
  for (const folder of ['api', 'worker', 'libs']) {
    watch(inRoot(folder), { recursive: true, signal }, () => change.resolve());
  }
  for (;;) {
    await Promise.race([change.promise, aborted(signal)]);
    if (signal.aborted) return;
    const startedAt = performance.now();
    await sleep(SETTLE_MS);
    change = Promise.withResolvers();
    yield startedAt;
  }
}

function sayChanged(startedAt: number) {
  say(`The servers run the changed sources, after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** Programs that were stopped before they were ready, for the next change, are no failure. */
function sayUnlessStopped(error: unknown) {
  if (!(error instanceof Error && error.name === 'AbortError')) sayFailure(error);
}

async function serveWeb(
  { cleanup }: Command,
  { host, port, api }: { host: string; port: number; api: string },
) {
  // vite.config.ts reads where the api is.
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
