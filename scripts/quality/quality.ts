/**
 * `npm run quality [-- <subject>…]`: measures the quality of the tools without an AI service, on documents written for this
 * project, real documents and real photographs, and prints the results. Tests assert minimums.
 * `sheets`, which runs only when it is named, draws the contact sheets of docs/models.md.
 */
import { build } from '../stack/build.ts';
import { choose } from '../stack/choose.ts';
import { runCommand } from '../stack/command.ts';
import { print } from '../stack/terminal.ts';

/** The imports need the built servers. */
const subjects = {
  pdf: () => import('./pdf.ts'),
  ats: () => import('./ats/measure.ts'),
  images: () => import('./images.ts'),
  scans: () => import('./scans/measure.ts'),
  sheets: async () => ({ report: (await import('./images.ts')).drawSheets }),
};
const onlyWhenNamed = 'sheets';

await runCommand(async () => {
  const names = choose('subject', Object.keys(subjects) as (keyof typeof subjects)[]);
  await build('servers');
  for (const name of names) {
    if (name === onlyWhenNamed && !process.argv.includes(name)) continue;
    const { report } = await subjects[name]();
    print(`${name}\n${(await report()).map((line) => `  ${line}`).join('\n')}`);
  }
});
