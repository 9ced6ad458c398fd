import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider, type ProviderRequest } from '../../test/provider/server.js';
import { EngineError } from '#libs/contract/engine.js';
import { until } from '../../test/support/until.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import type { AiProvider } from './engine.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { createOpenAiProvider } from './openai-provider.js';

// The fake provider renders images, which takes longer than a unit test's time limit.
allowTimeForPrograms();

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider({ apiKey: 'sk-pictures' });
});
afterAll(() => fake.close());
afterEach(() => void jest.restoreAllMocks());

const never = new AbortController().signal;
const providerFor = (changes: Partial<OpenAiConfig> = {}) =>
  createOpenAiProvider(configOf(fake, { apiKey: 'sk-pictures', ...changes }));
const generate = (prompt: string, changes?: Partial<OpenAiConfig>, signal = never) =>
  providerFor(changes).generateImage({ prompt, size: '1024x1024' }, signal);

const last = (): ProviderRequest => fake.requests.at(-1) as ProviderRequest;
const square = (width: number, height = width, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 90, b: 40, alpha } } })
    .png()
    .toBuffer();

async function failure(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

describe('a generated picture', () => {
  it.each(['1024x1024', '1536x1024', '1024x1536'] as const)(
    'has the size %s that was asked for',
    async (size) => {
      const bytes = await providerFor().generateImage({ prompt: 'A lighthouse', size }, never);
      const { width, height, format } = await sharp(bytes).metadata();
      expect(`${width}x${height} ${format}`).toBe(`${size} png`);
      expect(last().path).toBe('/v1/images/generations');
      expect(last().image).toMatchObject({ model: 'gpt-image-1', prompt: 'A lighthouse', size });
      // No `response_format`, which the GPT image models reject.
      expect(last().image?.fields.sort()).toEqual(['model', 'n', 'prompt', 'size']);
    },
  );

  it('is requested as bytes from models that would return a URL', async () => {
    await generate('A lighthouse', { imageModel: 'dall-e-3' });
    expect(last().image?.fields).toContain('response_format');
  });
});

describe('an edited picture', () => {
  it('is sent with its mask as files, and with its background option', async () => {
    const [image, mask] = [await square(1024), await square(1024, 1024, 0)];
    const edit = { image, mask, prompt: 'Remove it', size: '1024x1024', background: 'opaque' } as const;
    const bytes = await providerFor().editImage(edit, never);
    expect(last().path).toBe('/v1/images/edits');
    expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(last().image).toMatchObject({ prompt: 'Remove it', size: '1024x1024', background: 'opaque' });
    expect(last().image?.image?.equals(image)).toBe(true);
    expect(last().image?.mask?.equals(mask)).toBe(true);
    // The mask is transparent everywhere, so the fake provider fills the whole image with its colour.
    const { dominant } = await sharp(bytes).stats();
    expect(dominant.b).toBeGreaterThan(dominant.r);
  });

  it('is sent as bytes, since an abort while a form is read would end the process', async () => {
    const sent = jest.spyOn(globalThis, 'fetch');
    await providerFor().editImage({ image: await square(64), prompt: 'Cut', size: '1024x1024' }, never);
    expect(sent.mock.lastCall?.[1]?.body).not.toBeInstanceOf(FormData);
    expect((sent.mock.lastCall?.[1]?.body as ArrayBuffer).byteLength).toBeGreaterThan(100);
  });

  it('has no mask and no background unless they are given', async () => {
    await providerFor().editImage({ image: await square(1024), prompt: 'Cut', size: '1024x1024' }, never);
    expect(last().image?.fields.sort()).toEqual(['image', 'model', 'n', 'prompt', 'size']);
  });

  it('can come with an alpha channel', async () => {
    const image = await square(1024);
    const edit = { image, prompt: 'Cut', size: '1024x1024', background: 'transparent' } as const;
    const { isOpaque } = await sharp(await providerFor().editImage(edit, never)).stats();
    expect(isOpaque).toBe(false);
  });

  it('is refused permanently if the provider does not accept it', async () => {
    const [image, mask] = [await square(1024), await square(64)];
    const edit = providerFor().editImage({ image, mask, prompt: 'Cut', size: '1024x1024' }, never);
    expect((await failure(edit)).retryable).toBe(false);
  });
});

describe('a picture that is returned as a URL', () => {
  it.each(['here', 'data'])('is read when it lies %s', async (where) => {
    const bytes = await generate(`A harbour [[address:${where}]]`);
    expect((await sharp(bytes).metadata()).width).toBe(1024);
  });

  it.each(['elsewhere', 'redirect'])('is never followed %s', async (where) => {
    const before = fake.requests.length;
    const error = await failure(generate(`A harbour [[address:${where}]]`));
    if (where === 'elsewhere') {
      expect(error.retryable).toBe(false);
      expect(error.message).toContain('another server');
    }
    expect(fake.requests.slice(before).map(({ path }) => path)).not.toContain('/pictures/0');
  });
});

describe('previews', () => {
  const size = '1024x1024' as const;
  const widths = (images: Buffer[]) =>
    Promise.all(images.map(async (image) => (await sharp(image).metadata()).width));
  const ask = async (provider: AiProvider, prompt: string) => {
    const partials: Buffer[] = [];
    const before = fake.requests.length;
    const image = await provider.generateImage(
      { prompt, size, onPartial: (partial) => partials.push(partial) },
      never,
    );
    expect(await widths([image])).toEqual([1024]);
    return { partials, requests: fake.requests.slice(before).map((request) => request.image?.partials) };
  };

  it('are streamed before the picture, of generated and of edited ones', async () => {
    const provider = providerFor();
    const { partials, requests } = await ask(provider, 'A lighthouse');
    expect(requests).toEqual([3]);
    expect(await widths(partials)).toEqual([1024, 1024, 1024]);

    const edited: Buffer[] = [];
    const image = await square(1024);
    const usage: unknown[] = [];
    const edit = { image, prompt: 'Cut', size, background: 'transparent' } as const;
    const bytes = await provider.editImage(
      { ...edit, onPartial: (one) => edited.push(one), onResponse: (one) => usage.push(one.usage) },
      never,
    );
    expect(last().image).toMatchObject({ partials: 3, background: 'transparent', prompt: 'Cut' });
    expect(edited).toHaveLength(3);
    expect((await sharp(bytes).stats()).isOpaque).toBe(false);
    expect(usage).toEqual([{ input: 5, output: 7 }]);
  });

  it('are not requested without a listener, nor when they are disabled', async () => {
    await generate('A lighthouse');
    expect(last().image?.partials).toBeNull();
    expect((await ask(providerFor({ partialImages: 0 }), 'A lighthouse')).requests).toEqual([null]);
    expect((await ask(providerFor({ imageModel: 'dall-e-3' }), 'A lighthouse')).requests).toEqual([null]);
  });

  it('are requested again only after a while if the server refuses them', async () => {
    const clock = new TestClock();
    const config = configOf(fake, { apiKey: 'sk-pictures' });
    const provider = createOpenAiProvider(config, clock);
    const prompt = 'A lighthouse [[partials:refuse]]';
    expect(await ask(provider, prompt)).toEqual({ partials: [], requests: [3, null] });
    expect((await ask(provider, prompt)).requests).toEqual([null]);
    // Whether edits are streamed does not depend on the refusal for generations.
    await provider.editImage(
      { image: await square(1024), prompt: 'Cut', size, onPartial: () => undefined },
      never,
    );
    expect(last().image?.partials).toBe(3);
    clock.set(-60 * 60_000);
    await clock.advance(61 * 60_000);
    expect((await ask(provider, prompt)).requests).toEqual([3, null]);
  });

  it('are missing if the server ignores the parameter', async () => {
    expect(await ask(providerFor(), 'A lighthouse [[partials:ignore]]')).toEqual({
      partials: [],
      requests: [3],
    });
  });

  it.each(['[[cut]]', '[[broken]]'])('do not complete a stream that ends early: %s', async (marker) => {
    const partials: Buffer[] = [];
    const before = fake.requests.length;
    const asked = { prompt: `Half ${marker}`, size, onPartial: (one: Buffer) => void partials.push(one) };
    expect((await failure(providerFor().generateImage(asked, never))).retryable).toBe(true);
    expect(partials).toHaveLength(1);
    expect(fake.requests.length).toBe(before + 1);
  });

  it('end with the time limit, and with the signal', async () => {
    const asked = { prompt: 'Silence [[hang:stream]]', size, onPartial: () => undefined };
    const error = await failure(providerFor({ imageSeconds: 1 }).generateImage(asked, never));
    expect(error.message).toContain('in time');
    const controller = new AbortController();
    const stopped = { ...asked, onPartial: () => controller.abort(new Error('cancelled')) };
    await expect(providerFor().generateImage(stopped, controller.signal)).rejects.toThrow('cancelled');
    await until('the request to be aborted', () => last().abortedAt !== null);
  });
});

describe('a failure', () => {
  it('429 is retryable, after the provider’s wait', async () => {
    const error = await failure(generate('Busy [[429:1]] [[retry-after:7]]'));
    expect(error).toMatchObject({ retryable: true, retryAfterMs: 7000 });
    await expect(generate('Busy [[429:1]] [[retry-after:7]]')).resolves.toBeInstanceOf(Buffer);
  });

  it.each(['[[500]]', '[[503]]', '[[cut]]', '[[empty]]'])('%s is retryable', async (marker) => {
    const before = fake.requests.length;
    expect((await failure(generate(`Fault ${marker}`))).retryable).toBe(true);
    expect(fake.requests.length).toBe(before + 1);
  });

  it.each([
    [400, 'content_policy_violation', 'content rules'],
    [400, 'moderation_blocked', 'content rules'],
    [400, 'other', 'AI_IMAGE_MODEL'],
    [404, 'model_not_found', 'AI_IMAGE_MODEL'],
    [401, 'invalid_api_key', 'OPENAI_API_KEY'],
  ])('%i %s is final, with a remedy', async (status, code, words) => {
    fake.script({ status, code });
    const error = await failure(generate('Wrong'));
    expect(error.retryable).toBe(false);
    expect(error.message).toContain(words);
  });

  it('ends a silent request at the limit for pictures', async () => {
    const error = await failure(generate('Silence [[hang]]', { imageSeconds: 2 }));
    expect(error.retryable).toBe(true);
    expect(error.message).toContain('in time');
    await until('the request to be aborted', () => last().abortedAt !== null);
  });
});

describe('an aborted signal', () => {
  const reason = new Error('cancelled by the user');

  it('before the call sends nothing', async () => {
    const before = fake.requests.length;
    await expect(generate('Abort', {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(fake.requests.length).toBe(before);
  });

  it('rejects with its reason and ends the request at once', async () => {
    const controller = new AbortController();
    const before = fake.requests.length;
    const generating = generate('Abort [[hang]]', {}, controller.signal);
    await until('the request', () => fake.requests.length > before);
    controller.abort(reason);
    await expect(generating).rejects.toBe(reason);
    await until('the request to be aborted', () => last().abortedAt !== null);
  });
});
