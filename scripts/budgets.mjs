import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/budgets/budgets.ts', { ownGroup: true });
