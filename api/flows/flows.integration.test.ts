import { describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import type { Flow } from '#libs/contract/flows.js';
import type { Job } from '#libs/contract/jobs.js';
import { form, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { resumePages } from '../../test/support/resumes.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const product = useInProcessProduct();

interface Answered {
  code?: string;
  message: string;
  details?: { field: string; message: string }[];
  flow: Flow;
  flows: Flow[];
  nextCursor: string | null;
}
const read = async (answer: Response) => (await answer.json()) as Answered;

const start = (user: SignedInUser, json: object, headers: Record<string, string> = {}) =>
  user.call('/api/flows/article', { json, headers });

const ended = (user: SignedInUser, id: string) =>
  until('the flow to end', async () => {
    const { flow } = await read(await user.call(`/api/flows/${id}`));
    return flow.status === 'ended' && flow;
  });

const TITLES_AND_ARTICLE = { prompt: 'Salt marshes', steps: 'generate-blog-title,generate-article' };

describe('a flow', () => {
  it('runs its steps in order, with an event for each', async () => {
    const ada = await product.signUp();
    const events: Flow[] = [];
    const jobs: Job[] = [];
    const socket = io(product.origin, { transports: ['websocket'], auth: { token: ada.token } });
    socket.on('flow', (flow: Flow) => events.push(flow));
    socket.on('job', (job: Job) => jobs.push(job));
    await until('the socket', () => socket.connected);

    const answer = await start(ada, TITLES_AND_ARTICLE);
    const { flow } = await read(answer);
    expect(answer.status).toBe(200);
    expect(flow).toMatchObject({ flow: 'article', title: 'Salt marshes', status: 'open', credits: 2 });
    const done = await ended(ada, flow.id);
    expect(done.steps.map(({ tool, state }) => [tool, state])).toEqual([
      ['generate-blog-title', 'succeeded'],
      ['generate-article', 'succeeded'],
    ]);
    await until('the event of the end', () =>
      events.some(({ status, revision }) => status === 'ended' && revision >= done.revision),
    );
    socket.close();
    expect(new Set(jobs.map(({ flowId }) => flowId))).toEqual(new Set([flow.id]));
    for (const { creationId } of done.steps)
      expect((await ada.call(`/api/user/creations/${creationId}`)).status).toBe(200);
    const list = await read(await ada.call('/api/flows'));
    expect(list).toMatchObject({
      flows: [{ ...done, revision: expect.any(Number) }],
      nextCursor: null,
    });
    const bob = await product.signUp();
    for (const options of [{}, { method: 'DELETE' }])
      expect((await bob.call(`/api/flows/${flow.id}`, options)).status).toBe(404);
    // Cancelling an ended flow changes nothing.
    expect((await read(await ada.call(`/api/flows/${flow.id}`, { method: 'DELETE' }))).flow.status).toBe(
      'ended',
    );
  });

  it('returns the same flow for the same key, and refuses another request with that key', async () => {
    const ada = await product.signUp();
    const headers = { 'Idempotency-Key': 'one' };
    const [first, second] = await Promise.all([
      start(ada, TITLES_AND_ARTICLE, headers),
      start(ada, TITLES_AND_ARTICLE, headers),
    ]);
    expect((await read(second)).flow.id).toBe((await read(first)).flow.id);
    const other = await start(ada, { ...TITLES_AND_ARTICLE, prompt: 'Dunes' }, headers);
    expect([other.status, (await read(other)).code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect((await product.sql(`SELECT id FROM flows WHERE user_id = $1`, [ada.id])).length).toBe(1);
  });

  it('waits until its user has chosen the title, and writes the article under it', async () => {
    const ada = await product.signUp();
    const wish = { ...TITLES_AND_ARTICLE, chooseTitle: true };
    const { flow } = await read(await start(ada, wish));
    const waiting = await until('the flow to wait', async () => {
      const now = (await read(await ada.call(`/api/flows/${flow.id}`))).flow;
      return now.awaitsTitleFrom !== null && now;
    });
    expect(waiting).toMatchObject({ status: 'open', awaitsTitleFrom: 1 });
    expect(waiting.steps[1]).toMatchObject({ state: 'waiting', jobId: null });
    const choose = (user: SignedInUser, title: string) =>
      user.call(`/api/flows/${flow.id}/title`, { method: 'PUT', json: { title } });
    expect((await choose(await product.signUp(), 'Mine')).status).toBe(404);
    expect((await read(await choose(ada, ' '))).details?.[0]?.field).toBe('title');
    const both = await Promise.all([choose(ada, 'Marshes, by boat'), choose(ada, 'Marshes, by boat')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const done = await ended(ada, flow.id);
    const { creation } = (await (
      await ada.call(`/api/user/creations/${done.steps[1]!.creationId}`)
    ).json()) as { creation: { prompt: string } };
    expect(creation.prompt).toBe('Marshes, by boat');
    const late = await choose(ada, 'Another one');
    expect([late.status, (await read(late)).code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(await product.sql(`SELECT id FROM jobs WHERE flow_id = $1`, [flow.id])).toHaveLength(2);
  });

  it.each([
    [
      'a title to choose and no titles',
      { prompt: 'x', chooseTitle: true, steps: 'generate-article,humanize-text' },
      'chooseTitle',
    ],
    ['no topic', { steps: 'generate-blog-title,generate-article' }, 'prompt'],
    ['one step', { prompt: 'x', steps: 'generate-article' }, 'steps'],
    ['a step that it does not have', { prompt: 'x', steps: 'generate-article,chat-with-pdf' }, 'steps'],
    ['no article', { prompt: 'x', steps: 'generate-blog-title,humanize-text' }, 'steps'],
    [
      'an article too long to humanize',
      { prompt: 'x', length: 1600, steps: 'generate-article,humanize-text' },
      'length',
    ],
  ])('is refused with %s', async (_, json, field) => {
    const ada = await product.signUp();
    const answer = await start(ada, json);
    const { code, details } = await read(answer);
    expect([answer.status, code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(details?.map((detail) => detail.field)).toEqual([field]);
    expect(await product.sql(`SELECT id FROM flows WHERE user_id = $1`, [ada.id])).toEqual([]);
  });

  it('is refused if plan or credits do not cover it, or if it does not exist', async () => {
    const ada = await product.signUp();
    const all = await start(ada, { prompt: 'x' });
    expect([all.status, (await read(all)).code]).toEqual([403, 'PREMIUM_REQUIRED']);
    await product.sql(
      `INSERT INTO credit_balances (user_id, month, granted, balance)
       VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 30, 1)
       ON CONFLICT (user_id, month) DO UPDATE SET balance = 1`,
      [ada.id],
    );
    const poor = await start(ada, TITLES_AND_ARTICLE);
    expect([poor.status, (await read(poor)).code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    const unknown = await ada.call('/api/flows/nothing', { json: {} });
    expect([unknown.status, (await read(unknown)).code]).toEqual([404, 'NOT_FOUND']);
    expect((await ada.call('/api/flows/not-an-id')).status).toBe(404);
    expect(await product.sql(`SELECT id FROM flows WHERE user_id = $1`, [ada.id])).toEqual([]);
  });

  it('uploads a resume once for all of its steps, and deletes it with the last', async () => {
    const ada = await product.signUp();
    const resume = await makePdf(resumePages);
    const body = form({
      resume: { bytes: resume, name: 'Ada.pdf' },
      jobDescription: 'We look for somebody who knows Kubernetes, Go and PostgreSQL. Go is required.',
    });
    const answer = await read(await ada.call('/api/flows/application', { body }));
    expect(answer.code).toBeUndefined();
    expect(answer.flow).toMatchObject({ title: 'Application with Ada.pdf', credits: 4 });
    const keys = await product.sql(`SELECT key FROM objects WHERE user_id = $1`, [ada.id]);
    expect(keys).toHaveLength(1);
    const done = await ended(ada, answer.flow.id);
    expect(done.steps.map(({ tool, state }) => [tool, state])).toEqual([
      ['calculate-ats-score', 'succeeded'],
      ['resume-review', 'succeeded'],
      ['tailored-bullets', 'succeeded'],
      ['cover-letter', 'succeeded'],
    ]);
    // Wait, since the worker ends the flow only after the commit of its last step.
    await until(
      'the file to be deleted',
      async () => !(await product.files.findOfUser(ada.id, keys[0]!.key)),
    );
    const without = await ada.call('/api/flows/application', {
      body: form({ jobDescription: 'A job.' }),
    });
    expect([without.status, (await read(without)).details?.[0]?.field]).toEqual([400, 'resume']);
  });
});
