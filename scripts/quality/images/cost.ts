import { readFile } from 'node:fs/promises';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import type { Cost } from './measure.ts';

/** `node cost.ts <picture> [<mask>]`: runs one task and prints its cost, for {@link measureCosts}. */
const [picture = '', maskFile] = process.argv.slice(2);
const bytes = await readFile(picture);
const mask = maskFile ? await readFile(maskFile) : null;
const { signal } = new AbortController();

// Sampled, since `maxRSS` starts at that of the parent when it forked.
let peak = 0;
const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
const started = performance.now();
if (mask) await onImageThread('removeObject', { bytes, mask }, signal);
else await onImageThread('removeBackground', { bytes }, signal);
const milliseconds = performance.now() - started;
clearInterval(sampling);
const cost: Cost = { milliseconds, peakMb: peak / 1e6 };
console.log(JSON.stringify(cost));
