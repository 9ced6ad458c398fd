import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('test/compose/main.ts', { ownGroup: true });
