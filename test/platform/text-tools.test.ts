import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  json,
  startInProcessProduct,
  type Answer,
  type SignedInUser,
  type InProcessProduct,
  useInProcessProduct,
} from '../support/in-process-product.ts';
import { until } from '../support/until.ts';
import { startFakeProvider, type FakeProvider } from '../provider/server.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

const humanize = '/api/ai/humanize-text';
const titles = '/api/ai/generate-blog-title';

const post = async (
  client: SignedInUser,
  path: string,
  fields: object,
  headers: Record<string, string> = {},
) => {
  const answer = await client.call(path, { json: fields, headers });
  return { status: answer.status, body: (await answer.json()) as Answer & Record<string, unknown> };
};

/** Submits without waiting, and reads the job until it has ended. */
async function ended(client: SignedInUser, path: string, fields: object) {
  const { status, body } = await post(client, path, fields, { Prefer: 'respond-async' });
  expect(status).toBe(202);
  return until('the job has ended', async () => {
    const { job } = await json(await client.call(`/api/jobs/${body.job.id}`));
    return ['succeeded', 'failed'].includes(job.status) && job;
  });
}

const used = async (client: SignedInUser) =>
  (await json(await client.call('/api/user/account'))).credits.used;

describe('titles and humanizing without an AI service', () => {
  const product = useInProcessProduct();
  let ada: SignedInUser;
  beforeAll(async () => {
    ada = await product.signUp();
  });

  it('answers with titles, and with other ones to a second job for the same keyword', async () => {
    const { status, body } = await post(ada, titles, { prompt: 'house plants', category: 'Lifestyle' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: 'Title Generated', engine: 'offline' });
    expect(body.content.trim().split('\n')).toHaveLength(12);
    const job = await ended(ada, titles, {
      prompt: 'Generate a blog title for the keyword house plants in the category Lifestyle',
    });
    expect(job.result.content.trim().split('\n')).toHaveLength(12);
    expect(job.result.content).not.toBe(body.content);
    expect(job.partial).toBe(job.result.content);
    const { creations } = await json(await ada.call('/api/user/get-user-creations'));
    expect(creations.find(({ id }) => id === body.creationId)).toMatchObject({
      type: 'blog-title',
      prompt: 'house plants',
      content: body.content,
      engine: 'offline',
    });
  });

  it('humanizes a text and lists its changes', async () => {
    const text = 'Furthermore, Ada utilizes 5 tools. It is “numerous”.';
    const { status, body } = await post(ada, humanize, { text });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      message: 'Text humanized successfully',
      engine: 'offline',
      content: 'Also, Ada uses 5 tools. It’s “numerous”.',
      facts: { numbers: 1, names: 1, quotations: 1, links: 0, code: 0 },
    });
    expect(body.changes).toHaveLength(3);
  });

  it.each([
    [humanize, {}, 'Enter your text'],
    [humanize, { text: '   ' }, 'Enter your text'],
    [humanize, { text: 'word '.repeat(1001) }, 'Text exceeds 1000 word limit'],
    [titles, { prompt: '' }, 'Enter a keyword for the titles.'],
    [titles, { prompt: 'tea', category: 'Sports' }, /^Choose one of the categories: General/],
  ])('refuses bad input, uncharged: %s %j', async (path, fields, message) => {
    const before = await used(ada);
    const { status, body } = await post(ada, path, fields);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'VALIDATION_FAILED' });
    expect(body.message).toMatch(message);
    expect(await used(ada)).toBe(before);
  });
});

describe('titles and humanizing by a provider', () => {
  let fake: FakeProvider;
  let product: InProcessProduct;
  let ada: SignedInUser;
  beforeAll(async () => {
    fake = await startFakeProvider();
    product = await startInProcessProduct({
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: fake.url,
      JOB_ATTEMPTS: '2',
    });
    ada = await product.signUp();
  });
  afterAll(async () => {
    await product.stop();
    await fake.close();
  });

  const list = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `${from + i}. Title ${from + i}`).join('\n');

  it('returns titles, with a second request for missing ones', async () => {
    fake.script({ text: list(1, 6) }, { text: list(7, 12) });
    const { status, body } = await post(ada, titles, { prompt: 'tea' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ content: `${list(1, 12)}\n`, engine: 'openai', message: 'Title Generated' });
  });

  it('retries later when there are never enough, and fails with a refund', async () => {
    const before = await used(ada);
    // Two attempts, each of which asks twice.
    fake.script(...Array.from({ length: 4 }, () => ({ text: 'No.' })));
    const job = await ended(ada, titles, { prompt: 'coffee' });
    expect(job).toMatchObject({ status: 'failed', credits: 0, error: { code: 'PROVIDER_FAILED' } });
    expect(job.attempts).toBe(2);
    expect(await used(ada)).toBe(before);
  });

  it('returns complete titles of a model unchanged', async () => {
    const text = '# Tea\n\nAda paid $5 in 2024.\n\n- It was [good](http://a.b).';
    expect((await post(ada, titles, { prompt: 'tea' })).body.titles).toHaveLength(12);
    expect((await post(ada, humanize, { text })).body.content).toBe(text);
  });

  it('humanizes a text that keeps its facts', async () => {
    fake.script({ text: '<part n="1">In 2024 Ada paid five dollars.</part>' });
    const { body } = await post(ada, humanize, { text: 'Ada paid $5 in 2024.' });
    expect(body).toMatchObject({ content: 'In 2024 Ada paid five dollars.', engine: 'openai', changes: [] });
  });

  it('fails at once, with a refund, when a fact is lost twice', async () => {
    const before = await used(ada);
    const bad = { text: '<part n="1">Ada paid $6 in 2024.</part>' };
    fake.script(bad, bad);
    const { status, body } = await post(ada, humanize, { text: 'Ada paid $5 in 2024.' });
    expect(status).toBe(502);
    expect(body).toMatchObject({ success: false, code: 'PROVIDER_FAILED' });
    expect(body.message).toMatch(/“\$5”.*credit was given back/);
    expect(await used(ada)).toBe(before);
    const { jobs } = (await (await ada.call('/api/jobs?tool=humanize-text&status=failed')).json()) as {
      jobs: Answer['job'][];
    };
    expect(jobs[0]).toMatchObject({ attempts: 1, credits: 0 });
  });
});
