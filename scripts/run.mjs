/** The npm scripts that are written in TypeScript: `node scripts/run.mjs NAME [argument…]`. A script may have first arguments of its own. */
import { runOnPinnedNode } from './bootstrap.mjs';

const group = { ownGroup: true };
const scripts = {
  start: ['scripts/stack/start.ts', { ownGroup: true, compileCache: true }],
  dev: ['scripts/stack/dev.ts', group],
  build: ['scripts/stack/build-all.ts'],
  test: ['scripts/stack/test.ts', group],
  'test-compose': ['test/compose/main.ts', group],
  check: ['scripts/stack/check.ts'],
  cli: ['scripts/stack/cli.ts'],
  fuzz: ['scripts/fuzz/fuzz.ts', group],
  licences: ['scripts/licences/licences.ts'],
  chaos: ['scripts/chaos/chaos.ts', group],
  bench: ['scripts/bench/bench.ts', group],
  quality: ['scripts/quality/quality.ts'],
  doctor: ['scripts/stack/cli.ts', {}, 'doctor'],
  models: ['scripts/models/models.ts'],
  screenshots: ['scripts/screenshots/screenshots.ts', group],
  budgets: ['scripts/budgets/budgets.ts', group],
  client: ['scripts/client/generate.ts'],
};
const [name, ...args] = process.argv.slice(2);
const [script, options, ...first] = scripts[name];
await runOnPinnedNode(script, { ...options, args: [...first, ...args] });
