import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/stack/dev.ts', { ownGroup: true });
