import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/stack/start.ts', { ownGroup: true, compileCache: true });
