import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readEngines } from '#libs/config/engines.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.js';
import { startErrorServer } from '../../test/support/error-server.js';
import { describeAbilities } from './describe-abilities.js';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.close());

const describeWith = (
  main: Partial<OpenAiConfig>,
  lacking: ImageOperation[] = [],
  variables: Record<string, string> = {},
) => {
  const ai = { main: configOf(fake, main), fallback: null } as never;
  return describeAbilities({ ai, ...readEngines(variables, true) }, new Set(lacking));
};

it('describes each ability in one line, without a call that costs', async () => {
  const { host } = new URL(fake.url);
  expect(await describeWith({})).toEqual([
    `Text of ${host}: the model fake-model is listed.`,
    expect.stringMatching(/^Streams: not called, since a call costs: `npm run doctor` calls it;/),
    expect.stringMatching(/^JSON: not called/),
    expect.stringMatching(/^New pictures: not called/),
    expect.stringMatching(/^Changed pictures: not called/),
  ]);
  expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/models']);
});

it('says what is missing, and what tools use instead', async () => {
  const lines = await describeWith({ textModel: 'other' }, ['generate', 'edit'], {
    ENGINE_REMOVE_IMAGE_OBJECT: 'provider',
  });
  expect(lines[0]).toContain('the model other is not listed');
  expect(lines.slice(3)).toEqual([
    'New pictures: the service has none. Done by this server: AI Art Generator.',
    expect.stringMatching(
      /^Changed pictures: the service has none\. Done by .*Fails, since ENGINE_<TOOL> is provider: /,
    ),
  ]);
});

it('says that a service refused, in words without a part of the key', async () => {
  const server = createServer((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ error: { message: `Incorrect API key: sk-1234***6789. ${'x'.repeat(9_000)}` } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [text] = await describeWith({ baseUrl: `http://${host}/v1`, apiKey: 'sk-123456789' });
  expect(text).toBe(
    `Text of ${host}: refused: The AI service refused our key. An operator needs to check OPENAI_API_KEY.`,
  );
  server.close();
});

it.each<[service: string, textModel: string, body: unknown, said: string]>([
  ['Together', 'a/b', [{ id: 'a/b' }], 'is listed'],
  ['GitHub', 'a-1', [{ id: 'azureml://registries/a/models/a-1', name: 'a-1' }], 'is listed'],
  ['Gemini', 'a-1', { data: [{ id: 'models/a-1' }] }, 'is listed'],
  ['Ollama', 'a1', { data: [{ id: 'a1:latest' }] }, 'is listed'],
  ['Ollama with another size', 'a1', { data: [{ id: 'a1:70b' }] }, 'is not listed'],
  ['Mistral', 'a-latest', { data: [{ id: 'a-2506', aliases: ['a-latest'] }] }, 'is listed'],
  ['OpenRouter', 'a/b:nitro', { data: [{ id: 'a/b' }] }, 'is listed'],
  ['Cloudflare', '@cf/a', { success: true, result: [{ id: '1', name: '@cf/a' }] }, 'is listed'],
  ['Ollama without models', 'a1', { object: 'list', data: null }, 'not called'],
  ['a wrong address', 'a1', '<!doctype html><title>Welcome</title>', 'web page'],
])('reads the list of %s', async (_, textModel, body, said) => {
  const server = await startErrorServer(200, typeof body === 'string' ? body : JSON.stringify(body));
  const [text] = await describeWith({ baseUrl: `${server.address}v1`, textModel });
  expect(text).toContain(said);
  await server.close();
});

it('says why a service does not answer', async () => {
  const [text] = await describeWith({ baseUrl: 'http://127.0.0.1:1/v1' });
  expect(text).toMatch(/^Text of 127\.0\.0\.1:1: no answer: The AI service could not be reached/);
  expect(await describeAbilities({ ai: null, ...readEngines({}, false) }, new Set())).toEqual([
    'No AI service is connected: this server does all work itself.',
  ]);
});
