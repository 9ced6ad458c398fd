import { runOnPinnedNode } from './bootstrap.mjs';

await runOnPinnedNode('scripts/screenshots/screenshots.ts', { ownGroup: true });
