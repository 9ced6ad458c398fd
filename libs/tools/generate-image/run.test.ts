import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider } from '#libs/ai/engine.js';
import { providerOf } from '../../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../../test/provider/server.js';
import { recordRun } from '../../../test/support/run-context.js';
import { generateImage, imageInputSchema } from './contract.js';
import { generateImageHandler, OFFLINE_NOTICE } from './run.js';
import { until } from '../../../test/support/until.ts';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

let fake: FakeProvider;
let provider: AiProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
  provider = providerOf(fake, { imageSeconds: 10 });
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
    expect(fake.requests.at(-1)?.image?.prompt).toContain('fantasy style');
  });

  it('that is no image is a failure that may pass, and stores nothing', async () => {
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
  it('says honestly what it is', async () => {
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

  it('is the same to the byte for the same input', async () => {
    const [one, two] = [recordRun(), recordRun()];
    await generateImageHandler.offline(input('Sea', { style: '3D style' }), one.context);
    await generateImageHandler.offline(input('Sea', { style: '3D style' }), two.context);
    expect(one.stored[0]?.bytes.equals(two.stored[0]?.bytes as Buffer)).toBe(true);
  });
});
