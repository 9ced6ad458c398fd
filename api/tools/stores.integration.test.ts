import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  form,
  json,
  PASSWORD,
  startInProcessProduct,
  type SignedInUser,
  type InProcessProduct,
} from '../../test/support/in-process-product.ts';
import { until } from '../../test/support/until.ts';
import { startS3, type TestS3 } from '../../test/support/s3.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 'x')]);

const variablesOf = ({ config }: TestS3) => ({
  S3_ENDPOINT: config.endpoint,
  S3_BUCKET: config.bucket,
  S3_ACCESS_KEY: config.accessKey,
  S3_SECRET_KEY: config.secretKey,
});

describe('files on S3', () => {
  let s3: TestS3;
  let product: InProcessProduct;
  let ada: SignedInUser;

  beforeAll(async () => {
    s3 = await startS3();
    product = await startInProcessProduct(variablesOf(s3));
    ada = await product.signUp();
  });
  afterAll(async () => {
    await product.stop();
    await s3.stop();
  });

  const keys = async () => (await product.sql(`SELECT key FROM objects`)).map(({ key }) => key);

  it('are uploaded, passed to the worker, and served from our own address', async () => {
    const body = form({ note: 'x', resume: { bytes: pdf, name: 'cv.pdf' } });
    const read = await json(await ada.call('/api/ai/probe-pdf', { body }));
    expect(JSON.parse(read.content)).toMatchObject({ name: 'cv.pdf', bytes: pdf.length });
    const { content } = await json(await ada.call('/api/ai/probe-image', { json: { object: 'a fox' } }));
    expect(content).toContain(`${product.origin}/files/`);
    const whole = Buffer.from(await (await fetch(content)).arrayBuffer());
    const part = await fetch(content, { headers: { Range: 'bytes=1-3' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(1, 4))).toBe(true);
  });

  it('are deleted with their user', async () => {
    const mine = await keys();
    expect(mine.length).toBeGreaterThan(0);
    expect(
      (await ada.call('/api/user/account', { method: 'DELETE', json: { password: PASSWORD } })).status,
    ).toBe(200);
    expect(await Promise.all(mine.map((key) => product.store.stat(key)))).toEqual(mine.map(() => null));
    expect(await keys()).toEqual([]);
  });
});

describe('an unavailable store', () => {
  let s3: TestS3;
  let product: InProcessProduct;
  let ada: SignedInUser;

  beforeAll(async () => {
    s3 = await startS3();
    product = await startInProcessProduct(variablesOf(s3));
    ada = await product.signUp();
  });
  afterAll(async () => {
    await product.stop();
    await s3.stop();
  });

  const jobOf = async (id: string) => (await json(await ada.call(`/api/jobs/${id}`))).job;

  it('refuses uploads without a charge, and jobs retry until it answers again', async () => {
    await s3.leave();
    const body = () => form({ note: 'x', resume: { bytes: pdf, name: 'cv.pdf' } });
    const refused = await ada.call('/api/ai/probe-pdf', { body: body() });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await json(refused)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('Nothing was charged'),
    });
    expect((await json(await ada.call('/api/user/account'))).credits.remaining).toBe(30);
    expect(product.spooled()).toEqual([]);

    const { job } = await json(
      await ada.call('/api/ai/probe-image', { json: { object: 'x' }, headers: { Prefer: 'wait=1' } }),
    );
    expect(['queued', 'running']).toContain(job.status);
    await until('an attempt to fail', async () => (await jobOf(job.id)).attempts > 1);
    await s3.comeBack();
    const done = await until('the job succeeded', async () => {
      const now = await jobOf(job.id);
      return now.status === 'succeeded' && now;
    });
    expect((await fetch(done.result.content)).status).toBe(200);
  });

  it('answers a request for a file with an error that is not cached', async () => {
    const { content } = await json(await ada.call('/api/ai/probe-image', { json: { object: 'a fox' } }));
    await s3.leave();
    const refused = await fetch(content);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toMatch('application/json');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    for (const name of ['etag', 'accept-ranges', 'content-disposition'])
      expect(refused.headers.get(name)).toBeNull();
    expect(await json(refused)).toMatchObject({ code: 'UNAVAILABLE' });
    await s3.comeBack();
  });
});
