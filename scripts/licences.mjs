import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/licences/licences.ts');
