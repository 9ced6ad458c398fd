import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/chaos/chaos.ts', { ownGroup: true });
