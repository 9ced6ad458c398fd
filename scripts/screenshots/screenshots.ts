/**
 * `npm run screenshots`: every screen, on a phone and a desk, in both themes, as pictures in `test/screenshots/`, a
 * folder that is not kept. `npm run screenshots -- landing dashboard` takes those alone. The product runs on its
 * embedded defaults with the offline engine, on a database of its own.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from '../../test/support/browser.ts';
import { find } from '../../test/support/machine-programs.ts';
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { inRoot } from '../stack/root.ts';
import { CommandError, print } from '../stack/terminal.ts';
import { startTemporaryProduct } from '../stack/temporary-product.ts';

/** What is fetched once it comes into view is on the picture as well. */
const showAllImages = `Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => undefined);
}))`;

await runCommand(async ({ cleanup }) => {
  if (!find('browser')) throw new CommandError('Screenshots need Chromium on the path.');
  await build('servers');
  // Loaded once the servers are built: they use what is built.
  const { screens, tour } = await import('../../test/browser/screens.ts');
  const { userWithWork } = await import('../../test/browser/work.ts');
  const { atRest } = await import('../../test/browser/visitor.ts');
  const wanted = chosen(
    process.argv.slice(2),
    screens.map(({ name }) => name),
  );

  const address = await startTemporaryProduct(cleanup);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());

  const target = inRoot('test/screenshots');
  mkdirSync(target, { recursive: true });
  const user = await userWithWork(browser, address);
  let taken = 0;
  await tour(browser, address, user, { only: wanted }, async (page, { name }, { width, theme }) => {
    await page.evaluate(showAllImages);
    await atRest(page);
    await page.screenshot({ path: join(target, `${name}-${width}-${theme}.png`), fullPage: true });
    taken += 1;
  });
  print(`${taken} pictures in test/screenshots/.`);
});

/** The screens asked for, or all. */
function chosen(given: string[], all: string[]): string[] {
  const unknown = given.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new CommandError(`There is no screen named ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  return given.length > 0 ? given : all;
}
