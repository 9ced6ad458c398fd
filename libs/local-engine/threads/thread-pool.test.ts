import { BroadcastChannel } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { withJobWork, type JobWork } from '#libs/resilience/job-work.js';
import type * as humanizerTasks from '#libs/local-engine/humanizer/thread.js';
import { hostileTexts } from '../../../test/support/hostile-texts.ts';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';
import { until } from '../../../test/support/until.ts';
import { ThreadPool } from './thread-pool.js';

allowTimeForPrograms();

describe('The threads of text tools', () => {
  const threads = new ThreadPool({ heapMb: 512, cpuMs: 8_000, threads: 1 });
  const humanize = threads.tasks<typeof humanizerTasks>(
    import.meta.resolve('#libs/local-engine/humanizer/thread.js'),
  );
  const never = new AbortController().signal;

  it('count their CPU time for the job, and alternate between users', async () => {
    const [attack, other]: JobWork[] = [
      { userId: 'eve', cpuMs: 0 },
      { userId: 'ada', cpuMs: 0 },
    ];
    const order: string[] = [];
    const edit = (work: JobWork, text: string) =>
      withJobWork(work, () => humanize('edit', { text }, never))
        .catch(() => undefined)
        .then(() => order.push(work.userId));
    const slow = `These are words. ${hostileTexts['mixed emphasis']}`.slice(0, 20_000);
    await Promise.all([
      ...[1, 2, 3].map(() => edit(attack!, slow)),
      edit(other!, 'The plan was made by the team.'),
    ]);
    expect(order).toEqual(['eve', 'ada', 'eve', 'eve']);
    expect(attack!.cpuMs).toBeGreaterThan(100);
  });

  it('load the modules of an aborted task before they end', async () => {
    const pool = new ThreadPool({ heapMb: 64, threads: 1 });
    const channel = new BroadcastChannel('thread-pool-test');
    let hasLoaded = false;
    channel.onmessage = () => (hasLoaded = true);
    const source = `await new Promise((resolve) => setTimeout(resolve, 300));
      new BroadcastChannel('thread-pool-test').postMessage('loaded');
      export const wait = () => new Promise(() => {});`;
    const wait = pool.tasks<{ wait: () => Promise<void> }>(
      `data:text/javascript,${encodeURIComponent(source)}`,
    );
    const stop = new AbortController();
    const waiting = wait('wait', {}, stop.signal);
    await until('a thread', () => !pool.isEmpty);
    stop.abort(new Error('Stopped'));
    await expect(waiting).rejects.toThrow('Stopped');
    await pool.abortedThreadsEnded();
    channel.close();
    expect(hasLoaded).toBe(true);
  });
});
