/**
 * `npm run screenshots`: every screen, on a phone and a desk, in both themes, as pictures in `test/screenshots/`, a
 * folder that is not kept. `npm run screenshots -- landing dashboard` takes those alone. The product runs on its
 * embedded defaults with the offline engine, on a database of its own.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../../test/support/browser.ts';
import { find } from '../../test/support/machine-programs.ts';
import { startApi, startWorker } from '../../test/support/process.ts';
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { migrate } from '../stack/database.ts';
import { freePort } from '../stack/ports.ts';
import { ensureDatabase, startPostgres } from '../stack/postgres.ts';
import { placePostgres } from '../stack/postgres-place.ts';
import { inRoot } from '../stack/root.ts';
import { Refusal, say } from '../stack/terminal.ts';

await runCommand(async ({ cleanup }) => {
  if (!find('browser')) throw new Refusal('Screenshots need Chromium on the path.');
  await build('servers');
  // Loaded once the servers are built: they use what is built.
  const { screens, tour } = await import('../../test/browser/screens.ts');
  const { personWithWork } = await import('../../test/browser/work.ts');
  const { atRest } = await import('../../test/browser/visitor.ts');
  const wanted = chosen(
    process.argv.slice(2),
    screens.map(({ name }) => name),
  );

  const folder = mkdtempSync(join(tmpdir(), 'pressroom-screenshots-'));
  const place = await placePostgres(join(folder, 'postgres'));
  const postgres = await startPostgres({ place, logPath: join(folder, 'postgres.log') });
  cleanup.defer(async () => {
    await postgres.stop();
    for (const path of [folder, place.home]) rmSync(path, { recursive: true, force: true });
  });
  await ensureDatabase(postgres, 'screenshots');
  await migrate(postgres.url('screenshots'), { PATH: process.env.PATH });
  const environment = {
    DATABASE_URL: postgres.url('screenshots'),
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    AUTH_SECRET: 'a secret for screenshots alone, never for people',
    PLAN_SWITCH: 'self',
    LOG_LEVEL: 'warn',
  };
  const worker = startWorker(environment);
  cleanup.defer(() => worker.kill());
  const api = await startApi(environment);
  cleanup.defer(() => api.kill());
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());

  const target = inRoot('test/screenshots');
  mkdirSync(target, { recursive: true });
  const person = await personWithWork(browser, api.address);
  let taken = 0;
  await tour(browser, api.address, person, { only: wanted }, async (page, { name }, { width, theme }) => {
    await atRest(page);
    await page.screenshot({ path: join(target, `${name}-${width}-${theme}.png`), fullPage: true });
    taken += 1;
  });
  say(`${taken} pictures in test/screenshots/.`);
});

/** The screens asked for, or all. */
function chosen(given: string[], all: string[]): string[] {
  const unknown = given.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Refusal(`There is no screen named ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  return given.length > 0 ? given : all;
}
