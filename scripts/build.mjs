import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/stack/build-all.ts');
