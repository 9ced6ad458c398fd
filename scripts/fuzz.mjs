import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/fuzz/fuzz.ts', { ownGroup: true });
