/** `npm run build`: the servers and the web client, each unless it is built already. */
import { build } from './build.ts';
import { elapsed, say, sayFailure } from './terminal.ts';

try {
  const parts = { servers: 'The servers', web: 'The web client' } as const;
  for (const part of ['servers', 'web'] as const) {
    say(`${parts[part]}: ${(await build(part)) ? 'built' : 'up to date'} (${elapsed()})`);
  }
} catch (error) {
  sayFailure(error);
  process.exitCode = 1;
}
