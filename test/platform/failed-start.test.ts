import { describe, expect, it } from '@jest/globals';
import { freePort } from '../support/ports.ts';
import { startProcess } from '../support/process.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** The environment of a program that needs a database which does not answer. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const [port, nobodys] = [await freePort(), await freePort()];
  return {
    PORT: String(port),
    DATABASE_URL: `postgres://pressroom:hunter2@127.0.0.1:${nobodys}/pressroom`,
    AUTH_SECRET: 'a secret of this test '.repeat(2),
  };
}

describe.each(['api', 'worker'])('The %s, when it cannot start', (program) => {
  it('says why in its log, without a secret, and ends for whoever starts it again', async () => {
    const child = startProcess(`dist/${program}/main.js`, await environment());
    const { code } = await child.ended;
    expect(code).toBe(1);
    const lines = child.output().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { level: number; program: string; err?: object });
    expect(entries.filter((line) => line.program !== program)).toEqual([]);
    expect(entries.at(-1)).toMatchObject({ level: 50, err: { code: 'ECONNREFUSED' } });
    expect(child.output()).not.toContain('hunter2');
  });
});
