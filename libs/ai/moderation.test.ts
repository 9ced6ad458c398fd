import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.js';
import { createModeration, type Moderation } from './moderation.js';

let fake: FakeProvider;
let moderation: Moderation;
const image = { bytes: Buffer.from('a picture'), mediaType: 'image/png' };

beforeAll(async () => {
  fake = await startFakeProvider();
  const main = {
    ...{ apiKey: 'a key', baseUrl: fake.url, textModel: 'text', imageModel: 'image' },
    ...{ isDefaultImageModel: true, imageHosts: [], partialImages: 0 },
    ...{ firstTokenSeconds: 1, idleSeconds: 1, imageSeconds: 1 },
  };
  const config = { main, fallback: null, moderationModel: 'omni', breaker: { failures: 2, seconds: 60 } };
  const log = { breakerChanged: () => undefined, called: () => undefined };
  moderation = (await createModeration(config, log))!;
  expect(await createModeration({ ...config, moderationModel: null }, log)).toBeNull();
});
afterAll(() => fake.close());

const ask = (text: string) => moderation.moderate({ text, image }, AbortSignal.timeout(60_000));

it('sends text and picture, and says whether they are flagged', async () => {
  expect([await ask('A fox'), await ask('[[flag]]')]).toEqual([false, true]);
  expect(fake.requests[0]!.moderation).toEqual({
    model: 'omni',
    input: [
      { type: 'text', text: 'A fox' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image.bytes.toString('base64')}` } },
    ],
  });
  await ask('  ');
  expect(fake.requests.at(-1)!.moderation!.input).toHaveLength(1);
});

it('rejects if the service cannot answer, and holds calls back after several failures', async () => {
  await expect(ask('[[404]]')).rejects.toThrow();
  await expect(ask('[[garbage]]')).rejects.toThrow();
  await ask('A fox');
  await expect(ask('[[500]]')).rejects.toThrow();
  await expect(ask('[[503]]')).rejects.toThrow();
  const asked = fake.requests.length;
  await expect(ask('A fox')).rejects.toThrow();
  expect([fake.requests.length, moderation.breakers[0]!.state]).toEqual([asked, 'open']);
});
