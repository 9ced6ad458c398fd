/** `npm run build [-- servers|web]`: builds the servers and the web client, each unless it is up to date. */
import { build, type PartName } from './build.ts';
import { elapsed, CommandError, print, printError } from './terminal.ts';

const names: Record<PartName, string> = { servers: 'The servers', web: 'The web client' };

try {
  for (const part of partsOf(process.argv[2])) {
    print(`${names[part]}: ${(await build(part)) ? 'built' : 'up to date'} (${elapsed()})`);
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

function partsOf(only: string | undefined): PartName[] {
  if (only === undefined) return ['servers', 'web'];
  if (only === 'servers' || only === 'web') return [only];
  throw new CommandError(`There is no part named "${only}": it is servers or web.`);
}
