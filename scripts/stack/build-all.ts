/** `npm run build [-- servers|web]`: the servers and the web client, each unless it is built already. */
import { build, type PartName } from './build.ts';
import { elapsed, Refusal, say, sayFailure } from './terminal.ts';

const names: Record<PartName, string> = { servers: 'The servers', web: 'The web client' };

try {
  for (const part of asked(process.argv[2])) {
    say(`${names[part]}: ${(await build(part)) ? 'built' : 'up to date'} (${elapsed()})`);
  }
} catch (error) {
  sayFailure(error);
  process.exitCode = 1;
}

function asked(only: string | undefined): PartName[] {
  if (only === undefined) return ['servers', 'web'];
  if (only === 'servers' || only === 'web') return [only];
  throw new Refusal(`There is no part named "${only}": it is servers or web.`);
}
