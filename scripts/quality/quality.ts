/**
 * `npm run quality [-- <subject>…]`: measures how good the offline engine is, on material of this project's own, and
 * prints the figures. Each subject is a file here whose `report` gives its lines; tests hold each to a floor.
 */
import { build } from '../stack/build.ts';

/** Loaded once the servers are built: they measure what is built. */
const subjects: Record<string, () => Promise<{ report: () => Promise<string[]> }>> = {
  pdf: () => import('./pdf.ts'),
  ats: () => import('./ats.ts'),
  images: () => import('./images.ts'),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(subjects, name));
if (unknown.length > 0) {
  console.error(`There is no subject ${unknown.join(', ')}; there is ${Object.keys(subjects).join(', ')}.`);
  process.exit(1);
}
await build('servers');
for (const name of asked.length > 0 ? asked : Object.keys(subjects)) {
  const subject = await subjects[name]?.();
  console.log(`${name}\n${(await subject?.report())?.map((line) => `  ${line}`).join('\n')}`);
}
