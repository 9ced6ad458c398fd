/**
 * `npm run screenshots`: writes every screen, at phone and desktop width, in both themes, to `test/screenshots/`, which
 * git ignores. `npm run screenshots -- landing dashboard` takes only those. The product runs on its embedded defaults
 * without an AI service and a temporary database.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from '../../test/support/browser.ts';
import { findProgram } from '../../test/support/machine-programs.ts';
import { build } from '../stack/build.ts';
import { choose } from '../stack/choose.ts';
import { runCommand } from '../stack/command.ts';
import { inRoot } from '../stack/root.ts';
import { CommandError, print } from '../stack/terminal.ts';
import { startTemporaryProduct } from '../stack/temporary-product.ts';

/** Loads the images below the fold. */
const loadAllImages = `Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => undefined);
}))`;

await runCommand(async ({ cleanup }) => {
  if (!findProgram('browser')) throw new CommandError('Screenshots need Chromium on the path.');
  await build('servers');
  // Imported here: they need the built servers.
  const { screens, tour } = await import('../../test/browser/screens.ts');
  const { userWithJobs } = await import('../../test/browser/user-with-jobs.ts');
  const { atRest } = await import('../../test/browser/visitor.ts');
  const names = choose(
    'screen',
    screens.map(({ name }) => name),
  );

  const { address } = await startTemporaryProduct(cleanup);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());

  const target = inRoot('test/screenshots');
  mkdirSync(target, { recursive: true });
  const user = await userWithJobs(browser, address);
  let taken = 0;
  await tour(browser, address, user, { only: [...names] }, async (page, { name }, { width, theme }) => {
    await page.evaluate(loadAllImages);
    await atRest(page);
    await page.screenshot({ path: join(target, `${name}-${width}-${theme}.png`), fullPage: true });
    taken += 1;
  });
  print(`${taken} pictures in test/screenshots/.`);
});
