import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { MAX_SOURCES_LISTED } from '#libs/contract/creations.js';
import { deleteExpiredCreations } from '#libs/creations/deleted-results.js';
import { creationRequests } from '../../test/support/creation-requests.ts';
import { form, json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { closeGate, gate } from '../../test/support/probe-tools.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const PASSAGE = 'It is important to note that Ada utilized 3 tables.';

const product = useInProcessProduct();
let ada: SignedInUser;
let bob: SignedInUser;
const { draw, creations, publish, remove, restore } = creationRequests(() => ada);

beforeEach(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada <b>Lovelace</b>'), product.signUp('Bob')]);
});

describe('a creation as the input of a job', () => {
  const use = (creation: string, client = ada, fields = {}) =>
    client.call('/api/ai/probe-image', { json: { object: 'its child', creation, ...fields } });
  const read = async (id: string, client = ada) => json(await client.call(`/api/user/creations/${id}`));
  const pixels = async (address: string) => {
    const image = sharp(await (await fetch(address)).arrayBuffer());
    return (await image.raw().toBuffer()).subarray(0, 3).toString('hex');
  };
  const sendRed = async () => {
    const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const body = form({ object: 'a red square', image: { bytes: red, name: 'red.png' } });
    return json(await ada.call('/api/ai/probe-image', { body }));
  };
  const credits = async () => (await json(await ada.call('/api/user/account'))).credits.remaining;

  it('is used without an upload, and the result lists its sources', async () => {
    const source = await sendRed();
    const child = await json(await use(source.creationId));
    expect(await pixels(child.content)).toBe(await pixels(source.content));
    const grandchild = await json(await use(child.creationId));
    expect(await credits()).toBe(27);

    const { creation, sources } = await read(grandchild.creationId);
    expect(creation.madeFrom).toBe(child.creationId);
    expect(sources).toEqual([
      expect.objectContaining({ id: child.creationId, madeFrom: source.creationId }),
      expect.objectContaining({ id: source.creationId, madeFrom: null, thumbnail: expect.any(String) }),
    ]);

    await remove(child.creationId);
    expect(await read(grandchild.creationId)).toMatchObject({ creation: { madeFrom: null }, sources: [] });
    await restore(child.creationId);
    expect((await read(grandchild.creationId)).sources).toHaveLength(2);
    await product.sql(`DELETE FROM creations WHERE id = $1`, [child.creationId]);
    expect(await read(grandchild.creationId)).toMatchObject({ creation: { madeFrom: null }, sources: [] });

    let last = source.creationId;
    for (let n = 0; n <= MAX_SOURCES_LISTED; n += 1) {
      const [made] = await product.sql(
        `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, made_from)
         SELECT gen_random_uuid(), user_id, tool, type, '', content, engine, id FROM creations WHERE id = $1
         RETURNING id AS name`,
        [last],
      );
      last = made!.name;
    }
    expect((await read(last)).sources).toHaveLength(MAX_SOURCES_LISTED);
  });

  it('does not reveal its sources when it is published', async () => {
    const source = await draw('a secret prototype');
    const child = await json(await use(source.creationId));
    await publish(child.creationId);
    const feed = await (await bob.call('/api/user/get-published-creations')).text();
    const page = await (await fetch(`${product.origin}/c/${child.creationId}`)).text();
    expect(feed).toContain(child.creationId);
    expect(page).toContain('its child');
    for (const shown of [feed, page]) {
      expect(shown).not.toContain(source.creationId);
      expect(shown).not.toContain('secret');
      expect(shown).not.toMatch(/madeFrom|made_from|settings|sources/);
    }
    expect((await fetch(`${product.origin}/c/${source.creationId}`)).status).toBe(404);
  });

  it('is published with the caption and the name that its user chose', async () => {
    const secret = await draw('IMG_2034 of client Muster');
    await product.sql(`UPDATE users SET image_url = 'https://example.com/ada.png' WHERE id = $1`, [ada.id]);
    const words = { caption: 'A fox  in the snow 🦊', author: 'Studio Nord' };
    expect((await publish(secret.creationId, words)).status).toBe(200);
    const feed = await (await bob.call('/api/user/get-published-creations')).text();
    const page = await (await fetch(`${product.origin}/c/${secret.creationId}`)).text();
    for (const shown of [feed, page]) {
      expect(shown).toContain('A fox in the snow 🦊');
      expect(shown).toContain('Studio Nord');
      expect(shown).not.toContain('Muster');
    }
    const [shown] = (JSON.parse(feed) as { creations: { id: string; author: object }[] }).creations.filter(
      ({ id }) => id === secret.creationId,
    );
    expect(shown?.author).toEqual({ name: 'Studio Nord', imageUrl: null });
    expect(feed).not.toContain('ada.png');
    expect((await publish(secret.creationId, { caption: 'x'.repeat(301) })).status).toBe(400);
    await publish(secret.creationId);
    expect(await (await fetch(`${product.origin}/c/${secret.creationId}`)).text()).toContain('Muster');
  });

  it('is refused if it is another user’s, deleted, a text, or sent with a file', async () => {
    const source = await draw();
    const text = await json(await ada.call('/api/ai/generate-blog-title', { json: { prompt: 'tea' } }));
    const left = await credits();
    const refusal = async (answer: Promise<Response>) => {
      const { status } = await answer;
      return [status, (await json(await answer)).code];
    };
    expect(await refusal(use(source.creationId, bob))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(use(UNKNOWN))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(use('no id'))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refusal(use(text.creationId))).toEqual([422, 'UNREADABLE_IMAGE']);
    const image = {
      bytes: await sharp(Buffer.alloc(300), { raw: { width: 10, height: 10, channels: 3 } })
        .png()
        .toBuffer(),
      name: 'a.png',
    };
    const both = form({ object: 'x', creation: source.creationId, image });
    expect(await refusal(ada.call('/api/ai/probe-image', { body: both }))).toEqual([
      400,
      'VALIDATION_FAILED',
    ]);
    await remove(source.creationId);
    expect(await refusal(use(source.creationId))).toEqual([404, 'NOT_FOUND']);
    expect(await credits()).toBe(left);
  });

  it('ends the job with a clear error and a refund, without a retry, if it is deleted first', async () => {
    const source = await draw();
    const left = await credits();
    closeGate();
    const { job } = await json(
      await ada.call('/api/ai/probe-image', {
        json: { creation: source.creationId },
        headers: { Prefer: 'respond-async' },
      }),
    );
    await remove(source.creationId);
    gate.open();
    const ended = await until('the job failed', async () => {
      const now = (await json(await ada.call(`/api/jobs/${job.id}`))).job;
      return now.status === 'failed' && now;
    });
    const message = expect.stringContaining('was deleted');
    expect(ended).toMatchObject({ credits: 0, error: { code: 'NOT_FOUND', message } });
    expect(await credits()).toBe(left);
    const retried = await ada.call(`/api/jobs/${job.id}/retry`, { method: 'POST' });
    expect([retried.status, (await json(retried)).code]).toEqual([409, 'JOB_NOT_RETRYABLE']);
  });
});

describe('a text of which a part is rewritten', () => {
  const write = async () =>
    (await json(await ada.call('/api/ai/generate-blog-title', { json: { prompt: 'tea' } }))).creationId;
  const rewrite = (creation: string, { client = ada, text = PASSAGE, action = 'simpler' } = {}) =>
    client.call('/api/ai/rewrite-text', { json: { text, action, creation } });
  const refusal = async (answer: Response) => [answer.status, (await json(answer)).code];
  const credits = async (client = ada) =>
    (await json(await client.call('/api/user/account'))).credits.remaining;
  const jobsOf = async (client = ada) => (await json(await client.call('/api/jobs?tool=rewrite-text'))).jobs;

  it('is refused without a charge if it is another user’s, an image or deleted', async () => {
    const [text, image] = [await write(), (await draw()).creationId];
    const left = await credits();
    expect(await refusal(await rewrite(text, { client: bob }))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(await rewrite(UNKNOWN))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(await rewrite(image))).toEqual([400, 'VALIDATION_FAILED']);
    await remove(text);
    expect(await refusal(await rewrite(text))).toEqual([404, 'NOT_FOUND']);
    expect([await credits(), await credits(bob)]).toEqual([left, 30]);
    expect([await jobsOf(), await jobsOf(bob)]).toEqual([[], []]);
  });

  it('is refunded after a failure, and can be retried until the text is deleted', async () => {
    const text = await write();
    const left = await credits();
    expect(await refusal(await rewrite(text, { action: 'longer' }))).toEqual([422, 'ENGINE_CANNOT']);
    expect(await credits()).toBe(left);
    const [failed] = await jobsOf();
    expect(failed).toMatchObject({ status: 'failed', credits: 0 });
    const again = () => ada.call(`/api/jobs/${failed?.id}/retry`, { method: 'POST' });
    expect(await refusal(await again())).toEqual([422, 'ENGINE_CANNOT']);
    expect(await product.sql(`SELECT count(*)::integer FROM jobs WHERE source_id = $1`, [text])).toEqual([
      { count: 2 },
    ]);
    expect(await credits()).toBe(left);
    await remove(text);
    expect(await refusal(await again())).toEqual([409, 'JOB_NOT_RETRYABLE']);
  });

  it('is purged with its rewritten parts once no rewriting is in progress', async () => {
    const text = await write();
    const { jobId, content } = await json(await rewrite(text));
    expect(content).toBe('Ada used 3 tables.');
    expect((await creations()).total).toBe(1);
    const resultOf = async () => (await json(await ada.call(`/api/jobs/${jobId}`))).job.result;
    await remove(text);
    expect(await resultOf()).toBeNull();
    await restore(text);
    expect(await resultOf()).toMatchObject({ content });

    await remove(text);
    await product.sql(`UPDATE creations SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [text]);
    const [running] = await product.sql(
      `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, attempts, started_at, lease_until, source_id)
       VALUES (gen_random_uuid(), $1, 'rewrite-text', 'text', 'A passage', 'standard', 'running', 1,
         now(), now() + interval '1 hour', $2) RETURNING id`,
      [ada.id, text],
    );
    await deleteExpiredCreations(product.dataSource);
    const left = async () => [
      (await product.sql(`SELECT id FROM creations WHERE id = $1`, [text])).length,
      await product.sql(`SELECT title, result FROM jobs WHERE id = $1`, [jobId]),
    ];
    expect(await left()).toEqual([1, [{ title: PASSAGE, result: expect.objectContaining({ content }) }]]);
    await product.sql(
      `UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL WHERE id = $1`,
      [running!.id],
    );
    await deleteExpiredCreations(product.dataSource);
    expect(await left()).toEqual([0, [{ title: '', result: {} }]]);
  });
});

describe('several images of one request', () => {
  const ask = (count: number, headers: Record<string, string> = {}) =>
    ada.call('/api/ai/probe-image', { json: { object: 'foxes', count }, headers });
  const credits = async () => (await json(await ada.call('/api/user/account'))).credits.remaining;

  it('are jobs of one group, each charged once per key', async () => {
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': 'four foxes' };
    const answers = await Promise.all([ask(4, headers), ask(4, headers), ask(4, headers)]);
    const groups = await Promise.all(answers.map(json));
    const ids = groups.map(({ jobs }) => jobs.map(({ id }) => id));
    expect(new Set(ids[0]).size).toBe(4);
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    const { job, jobs } = groups[0]!;
    expect([job.id]).toEqual(ids[0]?.slice(0, 1));
    expect(jobs.map(({ group }) => group)).toEqual(Array(4).fill(job.group));
    expect(await credits()).toBe(26);
    const other = await ask(3, headers);
    expect((await json(other)).code).toBe('IDEMPOTENCY_MISMATCH');
  });

  it('are returned together by a synchronous call', async () => {
    const answer = await json(await ask(2));
    expect(answer).toMatchObject({ success: true, content: expect.any(String), jobId: answer.jobs[0].id });
    expect(answer.jobs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect((await creations()).total).toBe(2);
  });

  it('are refused as a whole if the credits do not cover all of them', async () => {
    for (let i = 0; i < 7; i += 1) await ask(4);
    expect(await credits()).toBe(2);
    const refused = await ask(3);
    expect([refused.status, (await json(refused)).code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(await credits()).toBe(2);
    expect((await creations()).total).toBe(28);
    expect((await ask(2)).status).toBe(200);
    expect(await credits()).toBe(0);
  });
});
