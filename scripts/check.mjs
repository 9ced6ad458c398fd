import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/stack/check.ts');
