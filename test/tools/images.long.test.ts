import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { PublicConfig } from '#libs/contract/config.js';
import type { ToolOutput } from '#libs/tools/catalogue.js';
import { startFakeProvider, type FakeProvider } from '../provider/server.ts';
import {
  form,
  json,
  startInProcessProduct,
  type SignedInUser,
  type InProcessProduct,
} from '../support/in-process-product.ts';
import { discMask, discOnBlue } from '../support/image-files.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

interface Said {
  success: boolean;
  message: string;
}

let fake: FakeProvider;
let photo: Buffer;
let mask: Buffer;
beforeAll(async () => {
  fake = await startFakeProvider();
  photo = await discOnBlue(480, 360).jpeg().toBuffer();
  mask = await discMask(480, 360);
});
afterAll(() => fake.close());

const image = (bytes = photo) => ({ bytes, name: 'harbour.jpg', type: 'image/jpeg' });
const painted = () => ({ bytes: mask, name: 'mask.png', type: 'image/png' });

describe.each(['offline', 'openai'] as const)('image tools over HTTP, %s', (engine) => {
  let product: InProcessProduct;
  let ada: SignedInUser;
  beforeAll(async () => {
    product = await startInProcessProduct({
      ...(engine === 'openai' && {
        OPENAI_API_KEY: 'any',
        OPENAI_BASE_URL: fake.url,
        ENGINE_REMOVE_IMAGE_BACKGROUND: 'provider',
      }),
    });
    ada = await product.signUp('Ada', 'premium');
  });
  afterAll(() => product?.stop());

  const post = (tool: string, fields: Parameters<typeof form>[0], headers = {}) =>
    ada.call(`/api/ai/${tool}`, { body: form(fields), headers });
  /** The image at an address of an answer. */
  const fetched = async (url: string) => {
    const answer = await ada.call(url.replace(product.origin, ''));
    expect(answer.status).toBe(200);
    return sharp(Buffer.from(await answer.arrayBuffer()));
  };

  it('generates an image while the request waits, and lists it with its thumbnail', async () => {
    const answer = await ada.call('/api/ai/generate-image', {
      json: { prompt: 'Generate an image of a harbour in the style 3D style', publish: false },
    });
    const body = (await answer.json()) as ToolOutput<'generate-image'> & Said;
    expect([answer.status, body.message, body.engine]).toEqual([200, 'Image Generated', engine]);
    expect(await (await fetched(body.content)).metadata()).toMatchObject({ format: 'jpeg', width: 1024 });
    expect(await (await fetched(body.thumbnail)).metadata()).toMatchObject({ format: 'webp', width: 480 });
    const { creations } = await json(await ada.call('/api/user/get-user-creations'));
    expect(creations[0]).toMatchObject({ type: 'image', content: body.content, published: false, engine });
  });

  it('publishes an image when the request says so', async () => {
    const body = await json(
      await ada.call('/api/ai/generate-image', {
        json: { prompt: 'A quiet sea', style: '3D style', publish: true },
      }),
    );
    expect(body.success).toBe(true);
    const { creations } = await json(await ada.call('/api/user/get-published-creations'));
    expect(creations.some(({ prompt }: { prompt: string }) => prompt === 'A quiet sea')).toBe(true);
  });

  it('removes a background, with Prefer: respond-async', async () => {
    const answer = await post('remove-image-background', { image: image() }, { Prefer: 'respond-async' });
    const { job } = await json(answer);
    expect([answer.status, job.title]).toEqual([202, 'Background removed from harbour.jpg']);
    const { result } = await ended(ada, job.id);
    expect(result).toMatchObject({ engine, width: 480, height: 360 });
    const made = await fetched(result.content);
    expect(await made.metadata()).toMatchObject({ format: 'png', width: 480, height: 360, hasAlpha: true });
    expect((await made.stats()).isOpaque).toBe(false);
  });

  it('removes an object by its mask', async () => {
    const answer = await post('remove-image-object', { image: image(), mask: painted() });
    const body = (await answer.json()) as ToolOutput<'remove-image-object'> & Said;
    expect([answer.status, body.message, body.engine]).toEqual([200, 'Object removed successfully', engine]);
    const { dominant } = await (await fetched(body.content)).stats();
    expect(dominant.b).toBeGreaterThan(dominant.r);
  });

  it('removes an object by its name, where the engine can', async () => {
    const answer = await post('remove-image-object', { image: image(), object: 'boat' });
    const body = await json(answer);
    if (engine === 'openai') expect([answer.status, body.success]).toEqual([200, true]);
    else {
      expect([answer.status, body.code]).toEqual([422, 'ENGINE_CANNOT']);
      expect(body.message).toContain('No “boat” was found in this picture.');
    }
  });

  it.each([
    ['a name with a space', { object: 'red car' }, 'object', 'Please enter only one object name'],
    ['neither a name nor a mask', {}, 'object', 'Name the object to remove, or paint over it.'],
  ])('refuses %s', async (_, fields, field, message) => {
    const answer = await post('remove-image-object', { image: image(), ...fields });
    expect(answer.status).toBe(400);
    expect(await json(answer)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message,
      details: [{ field, message }],
    });
  });

  it('refuses a request without its image, and one whose image is cut off', async () => {
    expect(await json(await post('remove-image-background', { note: 'x' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const cut = await post('remove-image-background', { image: image(photo.subarray(0, 1500)) });
    expect([cut.status, (await json(cut)).code]).toEqual([422, 'UNREADABLE_IMAGE']);
  });

  describe('a preview of a removal', () => {
    const preview = (fields: Parameters<typeof form>[0], client = ada) =>
      client.call('/api/ai/remove-image-object/mask', { body: form({ image: image(), ...fields }) });
    const kept = () =>
      product.sql(`SELECT id::text AS key FROM jobs UNION ALL SELECT key FROM objects UNION ALL SELECT id::text FROM previews
        UNION ALL SELECT month::text || balance FROM credit_balances ORDER BY 1`);

    it('refuses an object that is not in the picture as the removal does, and stores and charges nothing', async () => {
      const before = await kept();
      const answer = await preview({ object: 'boat' });
      const body = await json(answer);
      expect([answer.status, body.code]).toEqual([422, 'ENGINE_CANNOT']);
      expect(body.message).toContain('No “boat” was found in this picture.');
      expect(await kept()).toEqual(before);
      expect(product.spooled()).toEqual([]);
    });

    it.each([
      ['a name with a space', { object: 'red car' }, 'object'],
      ['no name', {}, 'object'],
      ['half a point', { object: 'car', x: '0.5' }, 'y'],
      ['a point outside', { object: 'car', x: '0.5', y: '1.5' }, 'y'],
      ['a point that is no number', { object: 'car', x: 'left', y: '0' }, 'x'],
    ])('refuses %s', async (_, fields, field) => {
      const answer = await preview(fields);
      expect(answer.status).toBe(400);
      expect(await json(answer)).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    });

    it('needs an image that can be read, and the premium plan', async () => {
      const cut = await preview({ object: 'car', image: image(photo.subarray(0, 1500)) });
      expect([cut.status, (await json(cut)).code]).toEqual([422, 'UNREADABLE_IMAGE']);
      const free = await preview({ object: 'car' }, await product.signUp('Cleo'));
      expect([free.status, (await json(free)).code]).toEqual([403, 'PREMIUM_REQUIRED']);
      const asJson = await ada.call('/api/ai/remove-image-object/mask', { json: { object: 'car' } });
      expect(asJson.status).toBe(400);
    });

    it('has a limit of its own', async () => {
      const eve = await product.signUp('Eve', 'premium');
      const answers: number[] = [];
      // Refused after it was counted.
      for (let i = 0; i < 21; i += 1) answers.push((await preview({ object: 'two words' }, eve)).status);
      expect(answers).toEqual([...Array<number>(20).fill(400), 429]);
    });
  });

  it('needs the premium plan', async () => {
    const bea = await product.signUp('Bea');
    const answers = await Promise.all([
      bea.call('/api/ai/generate-image', { json: { prompt: 'A sea' } }),
      bea.call('/api/ai/remove-image-background', { body: form({ image: image() }) }),
      bea.call('/api/ai/remove-image-object', { body: form({ image: image(), object: 'boat' }) }),
    ]);
    for (const answer of answers)
      expect([answer.status, (await json(answer)).code]).toEqual([403, 'PREMIUM_REQUIRED']);
  });

  // Last, because the product remembers it.
  if (engine === 'openai')
    it('goes on with the models of the server once the service has no endpoint for changed pictures', async () => {
      const engineOf = async (name: string) => {
        const { tools } = (await (await ada.call('/api/config')).json()) as PublicConfig;
        return tools.find((tool) => tool.name === name)?.engine;
      };
      expect(await engineOf('remove-image-object')).toBe('openai');
      const used = async () => (await json(await ada.call('/api/user/account'))).storage.used;
      fake.script({ status: 404 });
      const before = await used();
      const answer = await post('remove-image-object', { image: image(), mask: painted() });
      expect([answer.status, await answer.json()]).toMatchObject([200, { engine: 'offline' }]);
      expect(await used()).toBeGreaterThan(before);
      const asked = fake.requests.length;
      const next = await json(await post('remove-image-object', { image: image(), mask: painted() }));
      expect([next, fake.requests.length]).toMatchObject([{ engine: 'offline' }, asked]);
      await until('the api to know', async () => (await engineOf('remove-image-object')) === 'offline');
      expect(await engineOf('generate-image')).toBe('openai');
      expect(await (await ada.call('/api/config')).json()).toMatchObject({ changesImages: false });

      // A picture of the user cannot be changed either, and the operator's choice is kept.
      const { creationId: creation } = await json(
        await ada.call('/api/ai/generate-image', { json: { prompt: 'A quiet sea' } }),
      );
      const changed = await ada.call('/api/ai/generate-image', { json: { prompt: 'At night', creation } });
      expect([changed.status, (await json(changed)).message]).toEqual([
        422,
        expect.stringContaining('cannot change one'),
      ]);
      fake.script({ status: 404 });
      const chosen = await post('remove-image-background', { image: image() });
      expect([chosen.status, (await json(chosen)).message]).toEqual([
        502,
        expect.stringContaining('cannot change pictures'),
      ]);
    });
});

async function ended(client: SignedInUser, id: string) {
  return until('the job has ended', async () => {
    const { job } = await json(await client.call(`/api/jobs/${id}`));
    return ['succeeded', 'failed'].includes(job.status) && job;
  });
}
