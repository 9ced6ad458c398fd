import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_OPEN_FLOWS, type Flow } from '#libs/contract/flows.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { until } from '../../test/support/until.ts';
import { deleteExpiredCreations, updateResultsDeletedAt } from '#libs/creations/deleted-results.js';
import { deleteOldFlows, FlowRuns } from './flow-runs.js';
import type { NewFlow } from './flows.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';

const TOPIC = 'Rivers of the north';
const ARTICLE = { flow: 'article' as const, input: { prompt: TOPIC, length: 800 } };
const TEXTS = ['generate-blog-title', 'generate-article', 'humanize-text'];
const STEPS = { ...ARTICLE, steps: TEXTS };

const RESULTS: Record<string, Record<string, unknown>> = {
  'generate-blog-title': { content: '1. **Cold** water', titles: ['**Cold** water', 'Ice'], notice: null },
  'generate-article': { content: '# Cold _water_\n\nA whole text.', notice: null },
  'humanize-text': {
    content: 'A whole text, put simply.',
    readability: null,
    changes: [],
    facts: { numbers: 0, names: 0, links: 0, quotations: 0, code: 0 },
    proofreading: null,
    notice: null,
  },
  'resume-review': { content: 'A review.', notice: null, proofreading: null },
  'tailored-bullets': { content: '- A bullet.', notice: null },
};

describe('A flow', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform({ unfinishedPerUser: 10 });
  });
  afterAll(() => platform.close());
  afterEach(() => {
    expect(platform.errors).toEqual([]);
    platform.live.published.length = 0;
  });

  const create = async (userId: string, flow: NewFlow = STEPS, key?: string) =>
    (await platform.flows.create(userId, { ...flow, idempotencyKey: key })).flow;
  const step = ({ steps }: Flow, n: number) => steps.find((one) => one.n === n)!;
  const states = ({ steps }: Flow) => steps.map(({ state }) => state);

  async function claimed(jobId: string) {
    const claim = await platform.lifecycle.claim(jobId, 10);
    if (claim.kind !== 'claimed') throw new Error(`The job was not claimed but ${claim.kind}.`);
    return { job: claim.job, attempt: { jobId, attempt: claim.job.attempts } };
  }

  /** @param lifecycle default: that of a worker that continues after the commit */
  async function succeed(
    jobId: string,
    lifecycle = platform.lifecycle,
    engine: 'openai' | 'offline' = 'openai',
  ) {
    const { job, attempt } = await claimed(jobId);
    const result = { content: '', ...RESULTS[job.tool], engine, model: null };
    await lifecycle.succeed(attempt, {
      result,
      creation: { type: job.tool, prompt: job.title, content: String(result.content) },
    });
    return job;
  }

  async function fail(jobId: string) {
    const { attempt } = await claimed(jobId);
    await platform.lifecycle.fail(attempt, { code: 'PROVIDER_FAILED', message: 'It failed.' });
  }

  const when = (userId: string, id: string, is: (flow: Flow) => boolean) =>
    until('the flow', async () => {
      const flow = await platform.flows.get(userId, id);
      return is(flow) && flow;
    });
  /** Waits until the step has a job, then returns the flow. */
  const started = (userId: string, id: string, n: number) =>
    when(userId, id, (flow) => step(flow, n).jobId !== null);

  const entries = async (userId: string) =>
    (
      await platform.sql<{ kind: string; count: number }>(
        `SELECT kind, count(*)::integer AS count FROM credit_entries WHERE user_id = $1 AND kind <> 'grant' GROUP BY kind ORDER BY kind`,
        [userId],
      )
    ).map(({ kind, count }) => `${count} ${kind}`);

  const inputOf = async (jobId: string | null) => (await platform.job(jobId!)).input;
  const setCredits = async (userId: string, left: number) => {
    await platform.sql(
      `INSERT INTO credit_balances (user_id, month, granted, balance)
       VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 30, $2)`,
      [userId, left],
    );
  };

  it('is charged in full when it starts, and passes each result to the next step', async () => {
    const user = await platform.user();
    const flow = await create(user);
    expect(flow).toMatchObject({ flow: 'article', title: TOPIC, status: 'open', credits: 3 });
    expect(flow.steps.map(({ tool, needs, state, credits }) => [tool, needs, state, credits])).toEqual([
      ['generate-blog-title', null, 'queued', 1],
      ['generate-article', 1, 'waiting', 1],
      ['humanize-text', 2, 'waiting', 1],
    ]);
    expect(await entries(user)).toEqual(['3 charge']);
    expect(platform.queue.entries.has(flow.steps[0]!.jobId!)).toBe(true);
    expect((await platform.job(flow.steps[0]!.jobId!)).flowId).toBe(flow.id);

    await succeed(flow.steps[0]!.jobId!);
    const written = await started(user, flow.id, 2);
    expect(await inputOf(step(written, 2).jobId)).toMatchObject({ prompt: 'Cold water', length: 800 });
    await succeed(step(written, 2).jobId!);
    const humanized = await started(user, flow.id, 3);
    expect(await inputOf(step(humanized, 3).jobId)).toMatchObject({
      text: '# Cold _water_\n\nA whole text.',
    });
    await succeed(step(humanized, 3).jobId!);
    const ended = await when(user, flow.id, ({ status }) => status === 'ended');
    expect(states(ended)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(ended.steps.every(({ creationId }) => creationId !== null)).toBe(true);
    expect(ended.revision).toBeGreaterThan(flow.revision);
    expect(await entries(user)).toEqual(['3 charge']);
    expect(await platform.remaining(user)).toBe(27);
    expect(await platform.sql(`SELECT input FROM flows WHERE id = $1`, [flow.id])).toEqual([{ input: {} }]);
    const shown = () => platform.live.of('flow').filter(({ id }) => id === flow.id);
    await until('the event of its end', () => shown().some(({ status }) => status === 'ended'));
    // Events may overtake each other; their revisions give the order.
    expect(
      shown()
        .toSorted((a, b) => a.revision - b.revision)
        .at(-1),
    ).toMatchObject({ status: 'ended' });
  });

  it('uses a long topic below the title', async () => {
    const user = await platform.user('premium');
    const prompt = `${TOPIC}: ${'with what lives in them, '.repeat(5)}and why`;
    const flow = await create(user, { ...STEPS, input: { prompt, length: 800 } });
    await succeed(step(flow, 1).jobId!);
    const next = await started(user, flow.id, 2);
    expect(await inputOf(step(next, 2).jobId)).toMatchObject({ prompt: `Cold water\n\n${prompt}` });
    expect(await entries(user)).toEqual([]);
    await platform.flows.cancel(user, flow.id);
  });

  it('starts steps that need the same result in parallel', async () => {
    const user = await platform.user('premium');
    const flow = await create(user, {
      ...ARTICLE,
      steps: ['generate-article', 'humanize-text', 'generate-image'],
    });
    await succeed(step(flow, 1).jobId!);
    const both = await when(user, flow.id, ({ steps }) => steps.every(({ jobId }) => jobId !== null));
    expect(states(both)).toEqual(['succeeded', 'queued', 'queued']);
    expect(await inputOf(step(both, 3).jobId)).toMatchObject({ prompt: 'Cold water', size: '1536x1024' });
    await platform.flows.cancel(user, flow.id);
  });

  it('is refused as a whole if credits or plan do not cover every step', async () => {
    const user = await platform.user();
    await setCredits(user, 2);
    await expect(create(user)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: expect.stringContaining('3 credits'),
    });
    await expect(
      create(user, { ...ARTICLE, steps: ['generate-article', 'generate-image'] }),
    ).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
    expect(await entries(user)).toEqual([]);
    expect(await platform.remaining(user)).toBe(2);
    expect(await platform.sql(`SELECT FROM flows WHERE user_id = $1`, [user])).toEqual([]);
    expect(await platform.sql(`SELECT FROM jobs WHERE user_id = $1`, [user])).toEqual([]);
  });

  it('is created once by ten simultaneous requests with one key', async () => {
    const user = await platform.user();
    const key = randomUUID();
    const made = await Promise.all(Array.from({ length: 10 }, () => create(user, STEPS, key)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await entries(user)).toEqual(['3 charge']);
    expect(await platform.sql(`SELECT FROM jobs WHERE user_id = $1`, [user])).toHaveLength(1);
    await expect(create(user, { ...STEPS, steps: TEXTS.slice(0, 2) }, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });

  it('passes results without control characters to the next step', async () => {
    const user = await platform.user();
    const { id, steps } = await create(user);
    await succeed(steps[0]!.jobId!);
    const second = step(await started(user, id, 2), 2);
    const { job, attempt } = await claimed(second.jobId!);
    const content = 'Old boats.\f\u0001New ones.';
    await platform.lifecycle.succeed(attempt, {
      result: { ...RESULTS[job.tool], content, engine: 'openai', model: null },
      creation: { type: job.tool, prompt: job.title, content },
    });
    const third = step(await started(user, id, 3), 3);
    expect(JSON.stringify(await inputOf(third.jobId))).toContain('Old boats.\\nNew ones.');
  });

  it('is named by its key until it has ended, also after 24 hours', async () => {
    const user = await platform.user();
    const ask = async () => (await create(user, STEPS, 'once')).id;
    const id = await ask();
    await platform.sql(`UPDATE flows SET created_at = created_at - interval '2 days' WHERE id = $1`, [id]);
    expect(await ask()).toBe(id);
    await platform.flows.cancel(user, id);
    expect(await ask()).not.toBe(id);
  });

  it('continues once after the worker was killed between two steps', async () => {
    const user = await platform.user();
    const flow = await create(user);
    // A lifecycle without success listeners acts like a worker that is killed right after the commit.
    const { dataSource, queue, live, jobEvents, accountEvents, flowEvents, lifecycle, onError, submission } =
      platform;
    const killed = new JobLifecycle({ dataSource, queue, live, jobEvents, accountEvents, onError });
    await succeed(step(flow, 1).jobId!, killed);
    expect(states(await platform.flows.get(user, flow.id))).toEqual(['succeeded', 'waiting', 'waiting']);

    platform.queue.isUnavailable = true;
    const workers = Array.from(
      { length: 4 },
      () => new FlowRuns({ dataSource, submission, lifecycle, flowEvents, accountEvents, onError }),
    );
    await Promise.all(workers.map((worker) => worker.pass()));
    platform.queue.isUnavailable = false;
    platform.errors.length = 0;
    const next = await platform.flows.get(user, flow.id);
    expect(states(next)).toEqual(['succeeded', 'queued', 'waiting']);
    expect(await platform.sql(`SELECT FROM jobs WHERE user_id = $1`, [user])).toHaveLength(2);
    await succeed(step(next, 2).jobId!, killed);
    await Promise.all(workers.map((worker) => worker.pass()));
    await succeed(step(await platform.flows.get(user, flow.id), 3).jobId!, killed);
    expect(await platform.flows.get(user, flow.id)).toMatchObject({ status: 'ended' });
    await workers[0]!.pass();
    expect(
      await platform.sql(`SELECT ended_at IS NOT NULL AS ended FROM flows WHERE id = $1`, [flow.id]),
    ).toEqual([{ ended: true }]);
    expect(await entries(user)).toEqual(['3 charge']);
  });

  it('waits for a failed step, and continues when that step alone is retried', async () => {
    const user = await platform.user();
    const flow = await create(user);
    await succeed(step(flow, 1).jobId!);
    const failing = step(await started(user, flow.id, 2), 2).jobId!;
    await fail(failing);
    const stopped = await platform.flows.get(user, flow.id);
    expect(stopped).toMatchObject({ status: 'stopped', credits: 2 });
    expect(step(stopped, 2)).toMatchObject({ state: 'failed', error: { message: 'It failed.' }, credits: 0 });
    expect(states(stopped)).toEqual(['succeeded', 'failed', 'waiting']);
    await platform.runs.pass();
    expect(await platform.remaining(user)).toBe(28);

    const retries = await Promise.allSettled(
      Array.from({ length: 3 }, () => platform.submission.retry(user, failing)),
    );
    const [again] = retries.flatMap((retry) => (retry.status === 'fulfilled' ? [retry.value] : []));
    expect(retries.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    const going = await platform.flows.get(user, flow.id);
    expect(going).toMatchObject({ status: 'open', credits: 3 });
    expect(going.revision).toBeGreaterThan(stopped.revision);
    expect(step(going, 2)).toMatchObject({ state: 'queued', jobId: again!.id });
    await succeed(again!.id);
    await succeed(step(await started(user, flow.id, 3), 3).jobId!);
    await when(user, flow.id, ({ status }) => status === 'ended');
    expect(await entries(user)).toEqual(['4 charge', '1 refund']);
    expect(await platform.remaining(user)).toBe(27);
  });

  it('continues after the job of a step was cancelled and retried', async () => {
    const user = await platform.user();
    const flow = await create(user);
    await platform.lifecycle.cancel(user, step(flow, 1).jobId!);
    expect(await platform.flows.get(user, flow.id)).toMatchObject({ status: 'stopped' });
    await succeed((await platform.submission.retry(user, step(flow, 1).jobId!)).id);
    await started(user, flow.id, 2);
    await platform.flows.cancel(user, flow.id);
    expect(await platform.remaining(user)).toBe(29);
  });

  it('refunds steps that did not run when it is cancelled, whatever happens at the same time', async () => {
    const user = await platform.user();
    const flow = await create(user);
    await succeed(step(flow, 1).jobId!);
    const running = await started(user, flow.id, 2);
    const { attempt } = await claimed(step(running, 2).jobId!);
    const result = { ...RESULTS['generate-article'], engine: 'openai' as const, model: null };
    const [ended] = await Promise.all([
      platform.lifecycle.succeed(attempt, { result, creation: null }),
      platform.flows.cancel(user, flow.id),
      platform.flows.cancel(user, flow.id),
      platform.runs.pass(),
    ]);
    const cancelled = await platform.flows.cancel(user, flow.id);
    expect(cancelled.status).toBe('cancelled');
    expect(['left-out', 'cancelled']).toContain(step(cancelled, 3).state);
    expect(step(cancelled, 2).state).toBe(ended ? 'succeeded' : 'cancelled');
    await platform.runs.pass();
    expect(await platform.flows.get(user, flow.id)).toEqual(cancelled);
    expect(await platform.remaining(user)).toBe(ended ? 28 : 29);
    // A retried step of an ended flow becomes a job without a flow.
    if (!ended) expect((await platform.submission.retry(user, attempt.jobId)).flowId).toBeNull();
  });

  it('skips a step whose input cannot be derived, and the steps that need it', async () => {
    const user = await platform.user();
    const flow = await create(user, { ...ARTICLE, steps: ['generate-article', 'humanize-text'] });
    await succeed(step(flow, 1).jobId!, platform.lifecycle, 'offline');
    const ended = await when(user, flow.id, ({ status }) => status === 'ended');
    expect(step(ended, 2)).toMatchObject({
      state: 'left-out',
      credits: 0,
      note: expect.stringContaining('outline'),
    });
    expect(await platform.remaining(user)).toBe(29);
  });

  it('ends and refunds its other steps if its user is suspended while a step runs', async () => {
    const user = await platform.user();
    const flow = await create(user);
    await platform.sql(`UPDATE users SET suspended_at = now(), suspended_reason = 'Spam.' WHERE id = $1`, [
      user,
    ]);
    await succeed(step(flow, 1).jobId!);
    const ended = await when(user, flow.id, ({ status }) => status === 'ended');
    expect(states(ended)).toEqual(['succeeded', 'left-out', 'left-out']);
    expect(step(ended, 2).note).toMatch(/^This account is suspended: Spam\./);
    expect(await platform.remaining(user)).toBe(29);
  });

  it('reports why a step waits, and starts it when there is room', async () => {
    const user = await platform.user('premium');
    const flow = await create(user, { ...ARTICLE, steps: ['generate-article', 'generate-image'] });
    const others = await Promise.all(Array.from({ length: 9 }, () => platform.submit(user)));
    const { dataSource, queue, live, jobEvents, accountEvents, onError } = platform;
    await succeed(
      step(flow, 1).jobId!,
      new JobLifecycle({ dataSource, queue, live, jobEvents, accountEvents, onError }),
    );
    await platform.submit(user);
    await platform.runs.pass();
    const waiting = await platform.flows.get(user, flow.id);
    expect(waiting.status).toBe('open');
    expect(step(waiting, 2)).toMatchObject({ state: 'waiting', note: expect.any(String) });
    await platform.lifecycle.cancel(user, others[0]!.id);
    await platform.runs.pass();
    expect(step(await platform.flows.get(user, flow.id), 2)).toMatchObject({ state: 'queued', note: null });
  });

  it('limits the simultaneous flows of each user separately', async () => {
    const [user, other] = [await platform.user('premium'), await platform.user('premium')];
    const made = await Promise.allSettled(Array.from({ length: MAX_OPEN_FLOWS + 2 }, () => create(user)));
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toEqual(Array(2).fill(expect.objectContaining({ code: 'RATE_LIMITED' })));
    const own = await platform.flows.list(user, { limit: 3 });
    expect(own.flows).toHaveLength(3);
    const rest = await platform.flows.list(user, { limit: 3, cursor: own.nextCursor! });
    expect(rest.flows).toHaveLength(MAX_OPEN_FLOWS - 3);
    expect((await platform.flows.list(other, { limit: 3 })).flows).toEqual([]);
    const { id } = own.flows[0]!;
    await expect(platform.flows.get(other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(platform.flows.cancel(other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await platform.flows.cancel(user, id);
    expect(await create(user)).toMatchObject({ status: 'open' });
  });

  it('is deleted with one of its creations, and refunds steps that did not run', async () => {
    const user = await platform.user();
    const flow = await create(user);
    await succeed(step(flow, 1).jobId!);
    const second = step(await started(user, flow.id, 2), 2).jobId!;
    const { id: creationId } = (
      await platform.sql<{ id: string }>(
        `UPDATE creations SET deleted_at = now() WHERE job_id = $1 RETURNING id`,
        [step(flow, 1).jobId],
      )
    )[0]!;
    await platform.dataSource.transaction((transaction) => updateResultsDeletedAt(transaction, [creationId]));
    await fail(second);
    await platform.submission.retry(user, second);
    await platform.sql(`UPDATE creations SET deleted_at = now() - interval '2 days' WHERE id = $1`, [
      creationId,
    ]);
    await deleteExpiredCreations(platform.dataSource);
    await expect(platform.flows.get(user, flow.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await platform.sql(`SELECT FROM flow_steps WHERE flow_id = $1`, [flow.id])).toEqual([]);
    // One of three steps ran, one continues as a separate job, and one was refunded.
    expect(await platform.remaining(user)).toBe(28);
  });

  it('does not continue from a deleted result', async () => {
    const user = await platform.user();
    const flow = await create(user);
    const { dataSource, queue, live, jobEvents, accountEvents, onError } = platform;
    await succeed(
      step(flow, 1).jobId!,
      new JobLifecycle({ dataSource, queue, live, jobEvents, accountEvents, onError }),
    );
    await platform.sql(`UPDATE jobs SET result_deleted_at = now() WHERE id = $1`, [step(flow, 1).jobId]);
    await platform.runs.pass();
    const ended = await platform.flows.get(user, flow.id);
    expect(states(ended)).toEqual(['succeeded', 'left-out', 'left-out']);
    expect(await platform.remaining(user)).toBe(29);
  });

  it('stores its file until its last step has ended', async () => {
    const user = await platform.user();
    const key = await platform.files.add({
      userId: user,
      kind: 'upload',
      type: 'application/pdf',
      name: 'Ada.pdf',
      content: Buffer.from('%PDF-'),
    });
    const flow = await create(user, {
      flow: 'application',
      input: { jobDescription: 'Wanted.' },
      steps: ['resume-review', 'tailored-bullets'],
      files: { resume: key },
    });
    expect(flow.title).toBe('Application with Ada.pdf');
    const isThere = async () => (await platform.files.findOfUser(user, key)) !== undefined;
    const age = () =>
      platform.sql(`UPDATE objects SET created_at = now() - interval '2 hours' WHERE key = $1`, [key]);
    await succeed(step(flow, 1).jobId!);
    const next = await started(user, flow.id, 2);
    expect((await platform.job(step(next, 2).jobId!)).files).toEqual({ resume: key });
    await fail(step(next, 2).jobId!);
    await age();
    await platform.sql(`UPDATE jobs SET finished_at = now() - interval '2 hours' WHERE flow_id = $1`, [
      flow.id,
    ]);
    await platform.files.sweep();
    expect(await isThere()).toBe(true);
    const again = await platform.submission.retry(user, step(next, 2).jobId!);
    await succeed(again.id);
    await when(user, flow.id, ({ status }) => status === 'ended');
    expect(await isThere()).toBe(false);
    expect(await platform.files.sweep()).toBe(1);
  });

  it('ends if a failed step is not retried in time', async () => {
    const user = await platform.user();
    const flow = await create(user);
    await fail(step(flow, 1).jobId!);
    const age = async (interval: string) => {
      await platform.sql(`UPDATE flows SET created_at = now() - $2::interval WHERE id = $1`, [
        flow.id,
        interval,
      ]);
      await platform.sql(`UPDATE jobs SET finished_at = now() - $2::interval WHERE flow_id = $1`, [
        flow.id,
        interval,
      ]);
    };
    await age('6 days');
    await platform.runs.closeIdle(90);
    expect(await platform.flows.get(user, flow.id)).toMatchObject({ status: 'stopped' });
    await age('8 days');
    await platform.runs.closeIdle(90);
    const ended = await platform.flows.get(user, flow.id);
    expect(ended.status).toBe('ended');
    expect(states(ended)).toEqual(['failed', 'left-out', 'left-out']);
    expect(await platform.remaining(user)).toBe(30);
    await deleteOldFlows(platform.dataSource, 90);
    expect(await platform.flows.get(user, flow.id)).toEqual(ended);
    await age('91 days');
    await deleteOldFlows(platform.dataSource, 90);
    await expect(platform.flows.get(user, flow.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
