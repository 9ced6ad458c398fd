/** `npm run build [-- servers|web]`: builds the servers and the web client, each unless it is up to date. */
import { build, type PartName } from './build.ts';
import { choose } from './choose.ts';
import { elapsed, print, printError } from './terminal.ts';

const names: Record<PartName, string> = { servers: 'The servers', web: 'The web client' };

try {
  for (const part of choose('part', ['servers', 'web'])) {
    print(`${names[part]}: ${(await build(part)) ? 'built' : 'up to date'} (${elapsed()})`);
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
