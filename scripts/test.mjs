import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/stack/test.ts', { ownGroup: true });
