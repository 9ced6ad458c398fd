import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider } from '#libs/ai/engine.js';
import { providerOf } from '../../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../../test/provider/server.js';
import { JOBS, recordRun } from '../../../test/support/run-context.js';
import { generateImage, imageInputSchema, MAX_SEED } from './contract.js';
import { generateImageHandler, OFFLINE_NOTICE } from './run.js';
import { until } from '../../../test/support/until.ts';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

let fake: FakeProvider;
let provider: AiProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
  provider = providerOf(fake);
});
afterAll(() => fake.close());

const input = (prompt: string, more = {}) => imageInputSchema.parse({ prompt, ...more });

describe('an image by a provider', () => {
  it('is stored as JPEG with a thumbnail, and is a creation', async () => {
    const run = recordRun();
    const request = input('A lighthouse', { size: '1536x1024', style: 'Fantasy style', publish: true });
    const { result, creation } = await generateImageHandler.withProvider(request, provider, run.context);
    expect(generateImage.output.omit({ model: true }).parse(result)).toEqual(result);
    expect(result).toMatchObject({ width: 1536, height: 1024, engine: 'openai', notice: null });
    expect(run.stages).toEqual(['painting', 'developing', 'storing']);
    const [image, thumbnail] = run.stored;
    expect(await sharp(image?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1536, height: 1024 });
    expect(await sharp(thumbnail?.bytes).metadata()).toMatchObject({
      format: 'webp',
      width: 480,
      height: 320,
    });
    expect(creation).toMatchObject({
      type: 'image',
      prompt: 'A lighthouse',
      published: true,
      content: image?.file.path,
    });
    expect(creation?.files).toEqual({ image: image?.file, thumbnail: thumbnail?.file });
    expect(fake.requests.at(-1)?.image).toMatchObject({
      prompt: expect.stringContaining('fantasy style'),
      partials: 3,
    });
    await until('a preview', () => run.previews.length > 0);
    expect(await sharp(run.previews[0]).metadata()).toMatchObject({
      ...{ format: 'webp', width: 640, height: 427 },
    });
  });

  it('is made from an earlier image, in the requested size', async () => {
    const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const source = { name: '', type: 'image/png', sha256: '', bytes };
    const request = input('The same by night', { creation: JOBS[0], size: '1024x1536' });
    const { result } = await generateImageHandler.withProvider(
      request,
      provider,
      recordRun({ source }).context,
    );
    expect(result).toMatchObject({ width: 1024, height: 1536, engine: 'openai', seed: null });
    const { image, path } = fake.requests.at(-1)!;
    expect(path).toContain('edits');
    expect(image?.prompt).toContain('The same by night');
  });

  it('fails as retryable if it is no image, and stores nothing', async () => {
    const run = recordRun();
    const broken: AiProvider = { ...provider, generateImage: async () => Buffer.from('not an image') };
    const running = generateImageHandler.withProvider(input('A lighthouse'), broken, run.context);
    await expect(running).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    expect(run.stored).toEqual([]);
  });

  it.each(['[[500]]', '[[400]]', '[[429]]'])('%s is an engine error', async (marker) => {
    const running = generateImageHandler.withProvider(input(`Fail ${marker}`), provider, recordRun().context);
    await expect(running).rejects.toBeInstanceOf(EngineError);
  });

  it('cancelled, ends the provider’s request', async () => {
    const run = recordRun();
    const running = generateImageHandler.withProvider(input('Stop [[hang]]'), provider, run.context);
    const aborting = until('the request', () => fake.open > 0).then(() =>
      run.controller.abort(new Error('cancelled')),
    );
    await expect(running).rejects.toThrow('cancelled');
    await aborting;
    expect(run.stored).toEqual([]);
  });
});

describe('an image offline', () => {
  it('says that it is procedural', async () => {
    const run = recordRun();
    const { result, creation } = await generateImageHandler.offline(
      input('Sea', { style: '3D style' }),
      run.context,
    );
    expect(result).toMatchObject({ engine: 'offline', notice: OFFLINE_NOTICE, width: 1024, height: 1024 });
    expect(creation?.published).toBe(false);
    expect((await sharp(run.stored[0]?.bytes).metadata()).format).toBe('jpeg');
    expect(run.stages).toEqual(['composing', 'painting', 'storing']);
  });

  it('differs between jobs, and is identical for the same seed', async () => {
    const draw = async (jobId: string, seed?: number) => {
      const run = recordRun({ jobId });
      const { result, creation } = await generateImageHandler.offline(input('Sea', { seed }), run.context);
      expect(creation?.settings).toEqual({ size: '1024x1024', seed: result.seed });
      return { bytes: run.stored[0]?.bytes.toString('hex'), seed: result.seed };
    };
    const [one, other] = [await draw(JOBS[0]), await draw(JOBS[1])];
    expect(other.seed).not.toBe(one.seed);
    expect(other.bytes).not.toBe(one.bytes);
    expect(await draw(JOBS[0], other.seed ?? -1)).toEqual(other);
  });

  it('cannot be made from an earlier image, and says what to do', async () => {
    const running = generateImageHandler.offline(input('Sea', { creation: JOBS[0] }), recordRun().context);
    await expect(running).rejects.toMatchObject({ code: 'ENGINE_CANNOT' });
  });
});

describe('several images', () => {
  it('have one input each, with consecutive seeds', () => {
    const copies = (more: object) => generateImage.copies?.(input('Sea', more)) ?? [];
    expect(copies({ count: 3 }).map(({ count, seed }) => [count, seed])).toEqual(
      Array(3).fill([1, undefined]),
    );
    expect(copies({ count: 2, seed: MAX_SEED }).map(({ seed }) => seed)).toEqual([MAX_SEED, 0]);
    for (const count of [0, 5, 1.5, '2'])
      expect(imageInputSchema.safeParse({ prompt: 'Sea', count }).success).toBe(false);
    for (const seed of [-1, 0.5, MAX_SEED + 1])
      expect(imageInputSchema.safeParse({ prompt: 'Sea', seed }).success).toBe(false);
  });
});
