/**
 * `npm run budgets`: compares the script sizes of the pages, their time on a slow line, the time of a key in a long text and
 * their Lighthouse scores with budgets. Exits with 1 when one is over budget. `npm run budgets -- weight`, `-- slow`,
 * `-- typing` or `-- lighthouse` measures one of them. The product runs on its embedded defaults without an AI service and a temporary database.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { findProgram } from '../../test/support/machine-programs.ts';
import { table } from '../cli/table.ts';
import { build } from '../stack/build.ts';
import { choose } from '../stack/choose.ts';
import { runCommand } from '../stack/command.ts';
import { freePort } from '../stack/ports.ts';
import { inRoot } from '../stack/root.ts';
import { CommandError, print } from '../stack/terminal.ts';
import { startTemporaryProduct } from '../stack/temporary-product.ts';
import { inspect, medianScores, type Category, type LighthouseRun } from './lighthouse.ts';
import { milliseconds, over, score, seconds, weight, type Row } from './rows.ts';
import { gzippedBytes, scriptsOf } from './scripts-of-pages.ts';
import { secondsToSubmit } from './slow-line.ts';
import { millisecondsPerKey } from './typing.ts';

const LANDING_BYTES = 130_000;
const SHARED_BYTES = 170_000;
/** Two thirds are zod, for the form, and the Markdown renderer for the sample, which loads last. */
const OWN_BYTES = 110_000;
/** Seconds until the article form is sent on Fast 3G, by a new browser and by a browser that has visited the page. */
const FIRST_VISIT_SECONDS = 5;
const NEXT_VISIT_SECONDS = 3;
/** Milliseconds from a key press until the page is drawn, at the 95th percentile. */
const KEY_MILLISECONDS = 20;
const RUNS = 3;
const categories: Category[] = ['performance', 'accessibility', 'best-practices', 'seo'];

await runCommand(async ({ cleanup }) => {
  const chosen = choose('budget', ['weight', 'slow', 'typing', 'lighthouse']);
  const executablePath = findProgram('browser');
  if (!executablePath)
    throw new CommandError('Budgets are measured in Chromium, and there is none on the path.');
  await build('servers');
  await build('web');
  const { address } = await startTemporaryProduct(cleanup);

  const profile = mkdtempSync(join(tmpdir(), 'pressroom-profile-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    baseURL: address,
    args: [
      // Chromium's sandbox does not work as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--remote-debugging-port=${port}`,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  cleanup.defer(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  });
  const signUp = async () => {
    const answer = await context.request.post('/api/auth/sign-up/email', {
      headers: { origin: address },
      data: { name: 'Ada Brandt', email: 'ada.brandt@example.com', password: 'a long password' },
    });
    if (!answer.ok()) throw new Error(`The sign-up answered ${answer.status()}: ${await answer.text()}`);
  };
  const signedIn = ['/ai', '/ai/community', ...toolPages()];
  const rows: Row[] = [];

  if (chosen.includes('weight')) {
    const landing = await gzippedBytes(address, await scriptsOf(context, '/'));
    rows.push(weight('/', 'scripts before interaction', landing, LANDING_BYTES));
  }
  if (chosen.includes('lighthouse')) {
    const runs: LighthouseRun[] = [];
    while (runs.length < RUNS) {
      runs.push(await inspect(`${address}/`, { port, only: categories, keepSession: false }));
    }
    const scores = medianScores(runs);
    for (const category of categories) rows.push(score('/', category, scores[category] ?? 0));
    printFaults('/', runs);
  }

  await signUp();
  if (chosen.includes('weight')) {
    const loaded = new Map<string, Set<string>>();
    for (const path of signedIn) loaded.set(path, await scriptsOf(context, path));
    const isShared = (script: string) => [...loaded.values()].every((scripts) => scripts.has(script));
    const shared = [...(loaded.get('/ai') ?? [])].filter(isShared);
    rows.push(weight('every page', 'shared scripts', await gzippedBytes(address, shared), SHARED_BYTES));
    for (const [path, scripts] of loaded) {
      const own = [...scripts].filter((script) => !isShared(script));
      rows.push(weight(path, 'scripts beyond the shared', await gzippedBytes(address, own), OWN_BYTES));
    }
  }
  if (chosen.includes('slow')) {
    const times: { first: number[]; next: number[] } = { first: [], next: [] };
    while (times.first.length < RUNS) {
      times.first.push(await secondsToSubmit(context, { cached: false }));
      times.next.push(await secondsToSubmit(context, { cached: true }));
    }
    const path = '/ai/write-article';
    rows.push(seconds(path, 'sent on Fast 3G, first visit', times.first, FIRST_VISIT_SECONDS));
    rows.push(seconds(path, 'sent on Fast 3G, next visit', times.next, NEXT_VISIT_SECONDS));
  }
  if (chosen.includes('typing'))
    rows.push(
      milliseconds(
        'a text of 5,000 words',
        await millisecondsPerKey(address, executablePath),
        KEY_MILLISECONDS,
      ),
    );
  if (chosen.includes('lighthouse')) {
    for (const path of signedIn) {
      const run = await inspect(address + path, { port, only: ['accessibility'], keepSession: true });
      rows.push(score(path, 'accessibility', run.scores.accessibility ?? 0));
      printFaults(path, [run]);
    }
  }

  print(table(['page', 'what', 'measured', 'budget', ''], rows).trimEnd());
  return rows.some((row) => row.at(-1) === over) ? 1 : 0;
});

function printFaults(page: string, runs: LighthouseRun[]): void {
  for (const fault of new Set(runs.flatMap(({ faults }) => faults))) print(`${page}: ${fault}`);
}

/** The path of each tool is the name of its folder in the client. */
function toolPages(): string[] {
  return globSync('web/src/features/tools/*/page.tsx', { cwd: inRoot() })
    .map((file) => `/ai/${basename(dirname(file))}`)
    .sort();
}
