import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/quality/quality.ts');
