import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { form } from '../support/in-process-product.ts';
import { animatedWebp, interlacedPng, pngWithTexts, progressiveCmykJpeg } from '../support/hostile-images.ts';
import { memoryUsedDuring } from '../support/memory-use.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

/** Sides of images of nearly 50 and 12 megapixels. */
const HUGE = 7_000;
const LARGE = 3_464;

describe('hostile images', () => {
  let database: TestDatabase;
  let product: RunningProduct;

  beforeAll(async () => {
    database = await testDatabase();
    product = await RunningProduct.start({
      databaseUrl: database.url,
      variables: { WORKER_IMAGE_MEMORY_MB: '512' },
    });
  });
  afterAll(async () => {
    await product?.close();
    await database?.drop();
  });

  /** Calls `/health/ready` again and again until the work is over. @returns the number of answers */
  async function healthChecksDuring(work: Promise<unknown>): Promise<number> {
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    let answers = 0;
    while (!isOver) {
      expect((await product.call('/health/ready')).status).toBe(200);
      answers += 1;
    }
    await ended;
    return answers;
  }

  it('as profile pictures, many at once, leave an api with its memory and answering', async () => {
    const interlaced = interlacedPng(HUGE);
    const pictures = [
      ...Array<Buffer>(4).fill(interlaced),
      await pngWithTexts(),
      interlaced.subarray(0, 100_000),
      ...Array<Buffer>(4).fill(interlacedPng(LARGE)),
      interlacedPng(LARGE, 16),
      await progressiveCmykJpeg(LARGE),
      await animatedWebp(600, 40),
      interlacedPng(LARGE).subarray(0, 20_000),
    ];
    const users: User[] = [];
    while (users.length < pictures.length) users.push(await product.user());
    const put = (user: User, bytes: Buffer) =>
      user.call('/api/user/picture', { method: 'PUT', body: form({ picture: { bytes, name: 'me' } }) });
    const api = product.apis[0]!;
    let statuses: number[] = [];
    let checks = 0;
    const used = await memoryUsedDuring(api.pid, async () => {
      const answers = Promise.all(users.map((user, i) => put(user, pictures[i]!)));
      checks = await healthChecksDuring(answers);
      statuses = (await answers).map(({ status }) => status);
    });
    expect(statuses.slice(0, 6)).toEqual(Array(6).fill(422));
    expect(statuses.slice(6)).toEqual([200, 200, 200, 200, 200, 200, 200, 422]);
    // The budget for decoding is 256 MB; what the requests themselves take comes on top.
    expect(used).toBeLessThan(400);
    // An api that decodes on its main thread answers between two pictures at best.
    expect(checks).toBeGreaterThan(pictures.length);
  });

  it('as jobs, several at once, share the memory for images of a worker', async () => {
    const users = await Promise.all(Array.from({ length: 3 }, () => product.user({ plan: 'premium' })));
    const bytes = interlacedPng(LARGE);
    const worker = product.workers[0]!;
    const used = await memoryUsedDuring(worker.pid, async () => {
      const jobs = await Promise.all(
        users.map(async (user) => {
          const { body } = await user.call('/api/ai/remove-image-background', {
            body: form({ image: { bytes, name: 'me.png' } }),
            headers: { Prefer: 'respond-async' },
          });
          return { user, id: body.job.id };
        }),
      );
      for (const { user, id } of jobs) await user.ended(id);
    });
    expect(used).toBeLessThan(450);
  });
});
