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

describe.each(['dist/api/main.js', 'dist/worker/main.js', 'dist/scripts/prepare.js', 'dist/scripts/cli.js'])(
  '%s, with a wrong variable',
  (script) => {
    it('names it and ends with exit code 78', async () => {
      const args = script.endsWith('cli.js') ? ['jobs', 'list'] : [];
      for (const wrong of [{ DATABASE_URL: 'mysql://nowhere' }, { S3_BUCKET: 'alone' }]) {
        // Operator commands use no object store.
        if ('S3_BUCKET' in wrong && args.length > 0) continue;
        const child = startProcess(script, { ...(await environment()), ...wrong }, args);
        expect(await child.ended).toEqual({ code: 78, signal: null });
        expect(child.output()).toMatch(/DATABASE_URL must be|S3_ENDPOINT/);
      }
    });
  },
);
