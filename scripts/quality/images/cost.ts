import { readFile } from 'node:fs/promises';
import { onImageThread } from '#libs/images/image-threads.js';
import type { Cost } from './measure.ts';

/** `node cost.ts <picture> [<mask>]`: does one task and prints what it took. For {@link measureCosts}. */
const [picture = '', maskFile] = process.argv.slice(2);
const bytes = await readFile(picture);
const mask = maskFile ? await readFile(maskFile) : null;
const { signal } = new AbortController();

const started = performance.now();
if (mask) await onImageThread('erase', { bytes, mask }, signal);
else await onImageThread('cutOut', { bytes }, signal);
const cost: Cost = {
  milliseconds: performance.now() - started,
  peakMb: process.resourceUsage().maxRSS / 1000,
};
console.log(JSON.stringify(cost));
