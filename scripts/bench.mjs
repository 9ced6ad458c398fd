import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/bench/bench.ts', { ownGroup: true });
