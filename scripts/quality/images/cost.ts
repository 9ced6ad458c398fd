import { readFile } from 'node:fs/promises';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import type { Cost } from './measure.ts';

/** `node cost.ts <picture> [<mask>]`: does one task and prints what it took. For {@link measureCosts}. */
const [picture = '', maskFile] = process.argv.slice(2);
const bytes = await readFile(picture);
const mask = maskFile ? await readFile(maskFile) : null;
const { signal } = new AbortController();

// The thread works in this process; `maxRSS` would begin with what the parent had when it forked.
let peak = 0;
const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
const started = performance.now();
if (mask) await onImageThread('erase', { bytes, mask }, signal);
else await onImageThread('cutOut', { bytes }, signal);
const milliseconds = performance.now() - started;
clearInterval(sampling);
const cost: Cost = { milliseconds, peakMb: peak / 1e6 };
console.log(JSON.stringify(cost));
