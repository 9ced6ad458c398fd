import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteExpiredCreations } from '#libs/creations/deleted-results.js';
import { describeOnBothBackends, type TestBackend } from '../support/backends.ts';
import { form, json, startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { discOnBlue } from '../support/image-files.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

// In a group of its own, the product stops before its services do.
const overHttp = (backend: () => TestBackend) => () => {
  let product: InProcessProduct;
  let photo: Buffer;
  beforeAll(async () => {
    photo = await discOnBlue(480, 360).png().toBuffer();
    const { redis } = backend();
    product = await startInProcessProduct({
      ...(redis && { REDIS_URL: redis.url }),
      // Without models a worker answers at once.
      MODELS_OFF: 'coco-ssd',
    });
  });
  afterAll(() => product?.stop());

  const preview = (client: Awaited<ReturnType<InProcessProduct['signUp']>>, init: RequestInit = {}) =>
    client.call('/api/ai/remove-image-object/mask', {
      ...init,
      method: 'POST',
      body: form({ image: { bytes: photo, name: 'a.png' }, object: 'cup' }),
    });
  const rowsLeft = async () =>
    (await product.sql(`SELECT id::text AS key FROM previews UNION ALL SELECT key FROM objects`)).length;

  it('are answered by a worker, and store nothing', async () => {
    const answer = await preview(await product.signUp('Ada', 'premium'));
    expect(answer.status).toBe(422);
    expect(await json(answer)).toMatchObject({
      code: 'ENGINE_CANNOT',
      message: expect.stringMatching(/^Paint over/),
    });
    expect([await rowsLeft(), product.stored(), product.spooled()]).toEqual([0, [], []]);
  });

  it('need a name or a whole point', async () => {
    const bob = await product.signUp('Bob', 'premium');
    const ask = async (fields: Record<string, string>) =>
      json(
        await bob.call('/api/ai/remove-image-object/mask', {
          method: 'POST',
          body: form({ image: { bytes: photo, name: 'a.png' }, ...fields }),
        }),
      );
    for (const [fields, field] of [
      [{}, 'object'],
      [{ object: ' ' }, 'object'],
      [{ x: '0.5' }, 'y'],
      [{ x: '0.5', y: '1.5' }, 'y'],
      [{ x: '0.5', y: '' }, 'y'],
    ] as const) {
      expect(await ask(fields)).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    }
    expect(await ask({ x: '0', y: '1' })).toMatchObject({ code: 'ENGINE_CANNOT' });
    expect([await rowsLeft(), product.stored(), product.spooled()]).toEqual([0, [], []]);
  });

  it('accept a creation of the caller instead of a file', async () => {
    const eve = await product.signUp('Eve', 'premium');
    const { creationId: creation } = await json(
      await eve.call('/api/ai/generate-image', { json: { prompt: 'A cup' } }),
    );
    const ask = async (client: typeof eve, id: string) => {
      const answer = await client.call('/api/ai/remove-image-object/mask', {
        json: { object: 'cup', creation: id },
      });
      return (await json(answer)).code;
    };
    const stored = product.stored().length;
    expect(await ask(eve, creation)).toBe('ENGINE_CANNOT');
    expect(product.stored()).toHaveLength(stored);
    expect(await ask(await product.signUp('Mal', 'premium'), creation)).toBe('NOT_FOUND');
    await eve.call(`/api/user/creations/${creation}`, { method: 'DELETE' });
    await product.sql(`UPDATE creations SET deleted_at = now() - interval '2 days'`);
    expect(await ask(eve, creation)).toBe('NOT_FOUND');
    await deleteExpiredCreations(product.dataSource);
    await product.files.sweep();
  });

  it('of a client that disconnects store nothing', async () => {
    const bea = await product.signUp('Bea', 'premium');
    const controller = new AbortController();
    const call = preview(bea, { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort();
    await call;
    await until('nothing is left', async () => (await rowsLeft()) === 0 && product.spooled().length === 0);
  });
};

describeOnBothBackends('Previews of object removal', (backend) => {
  describe('over HTTP', overHttp(backend));
});
