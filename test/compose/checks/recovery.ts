import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '#libs/contract/jobs.js';
import { until } from '../../support/until.ts';
import { User } from '../user.ts';
import type { Report } from '../report.ts';
import type { Stack } from '../stack.ts';

/** Three workers run two each. */
const SLOTS = 6;
const JOBS = 2 * SLOTS;
/** An article of about three seconds. */
const SLOW = '[[words:120]] [[pace:100]]';

/** Stops services while jobs run and wait: every accepted job ends once, with one charge and one creation. */
export async function checkRecovery(stack: Stack, report: Report): Promise<void> {
  const first = await stack.containers('api', 'worker');
  const faults: Record<string, () => Promise<string | void>> = {
    'a worker killed and Redis emptied': async () => {
      const [victim] = await stack.containers('worker');
      assert.ok(victim);
      const starts = await stack.inspect<number>(victim.id, '.RestartCount');
      await stack.kill(victim);
      await stack.compose('exec', '-T', 'redis', 'redis-cli', 'FLUSHALL');
      await until(
        'the worker starts again',
        async () => (await stack.inspect<number>(victim.id, '.RestartCount')) > starts,
        { seconds: 30 },
      );
    },
    'Redis restarted': async () => void (await stack.compose('restart', 'redis')),
    'PostgreSQL restarted': async () => void (await stack.compose('restart', 'postgres')),
    'an api killed': async () => {
      const [victim] = await stack.containers('api');
      assert.ok(victim);
      await stack.kill(victim);
    },
    'the workers replaced one by one': () => roll(stack, 'worker'),
  };
  for (const [name, fault] of Object.entries(faults)) {
    await report.check(`with ${name} in the middle, every job ends once`, () => checkFault(stack, fault));
  }

  await report.check('the apis are replaced without a request that fails', async () => {
    const user = await User.signUp(stack);
    const rolling = new AbortController();
    const requests = sendRequests(user, rolling.signal);
    await roll(stack, 'api').finally(() => rolling.abort());
    const { answered, failures } = await requests;
    assert.deepEqual(failures, []);
    assert.ok(answered > 20, `${answered} answers`);
    return `${answered} answered`;
  });

  await report.check('the log files have what killed and replaced containers wrote', async () => {
    const now = (await stack.containers('api', 'worker')).map(({ id }) => id);
    const gone = first.filter(({ id }) => !now.includes(id));
    assert.deepEqual(gone, first);
    // The containers of `checkStack` got this request.
    const request = await stack.searchLogs('"requestId":"from-a-client"');
    const programs = request.map(({ line }) => (JSON.parse(line) as { program: string }).program);
    assert.deepEqual(programs.sort(), ['api', 'proxy']);
    const lines = await stack.searchLogs('"program":"(api|worker)"');
    const containers = new Set(lines.map(({ container }) => container));
    assert.deepEqual(
      gone.filter(({ id }) => !containers.has(id)),
      [],
    );
    assert.equal((await stack.searchLogs('The program was ended by signal 9')).length, 2);
    return `${lines.length} lines of ${containers.size} containers`;
  });
}

async function checkFault(stack: Stack, fault: () => Promise<string | void>): Promise<string> {
  const user = await User.signUp(stack);
  const accepted = await Promise.all(
    Array.from({ length: JOBS }, (_, i) =>
      user.submit('generate-article', { json: { prompt: `Tidal power, part ${i} ${SLOW}`, length: 800 } }),
    ),
  );
  const now = await until('two articles are being written', async () => {
    const jobs = await Promise.all(accepted.map(({ id }) => user.job(id)));
    return jobs.filter(isStreaming).length >= 2 && jobs;
  });
  assert.ok(
    now.some(({ status }) => status === 'queued'),
    'nothing waits any more',
  );
  const since = performance.now();
  await fault();
  const ended = await Promise.all(accepted.map(({ id }) => user.ended(id)));
  const seconds = ((performance.now() - since) / 1000).toFixed(1);

  assert.deepEqual(
    ended.filter(({ status }) => status !== 'succeeded').map(({ error }) => error),
    [],
  );
  const counted = await stack.sql(
    `SELECT j.id, (SELECT count(*) FROM credit_entries e WHERE e.job_id = j.id AND e.kind = 'charge'),
       (SELECT count(*) FROM credit_entries e WHERE e.job_id = j.id AND e.kind = 'refund'),
       (SELECT count(*) FROM creations c WHERE c.job_id = j.id)
     FROM jobs j JOIN users p ON p.id = j.user_id WHERE p.email = '${user.email}'`,
  );
  assert.equal(counted.length, JOBS);
  assert.deepEqual(
    counted.filter(([, charges, refunds, creations]) => `${charges} ${refunds} ${creations}` !== '1 0 1'),
    [],
  );
  const { credits } = await user.get<{ credits: { used: number } }>('/api/user/account');
  assert.equal(credits.used, JOBS);
  const again = ended.filter(({ attempts }) => attempts > 1).length;
  return `${JOBS} jobs, ${again} of them started again, all ended after ${seconds} s`;
}

const isStreaming = ({ status, partial }: Job) => status === 'running' && Boolean(partial);

const roll = async (stack: Stack, service: string) => void (await stack.run('sh', ['ops/roll.sh', service]));

/**
 * Sends one request after the other, as a busy client, until the signal aborts.
 * @param every milliseconds between two requests
 */
export async function sendRequests(user: User, signal: AbortSignal, every = 50) {
  let answered = 0;
  const failures: string[] = [];
  while (!signal.aborted) {
    await user.get('/api/jobs').then(
      () => (answered += 1),
      (error: Error) =>
        failures.push(`${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`),
    );
    await pause(every);
  }
  return { answered, failures };
}
