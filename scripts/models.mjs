import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/models/models.ts');
