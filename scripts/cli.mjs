import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/stack/cli.ts');
