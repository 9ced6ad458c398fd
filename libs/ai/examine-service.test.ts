import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.js';
import { examineModeration, examineService } from './examine-service.js';

let fake: FakeProvider;
let plain: Server;
let down = false;
/** A picture that the plain server sends in a chat. */
let picture: string | null = null;
beforeAll(async () => {
  fake = await startFakeProvider();
  plain = createServer((request, response) => void answerPlain(request, response));
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  await fake.close();
  await new Promise((closed) => plain.close(closed));
});

/** As some local servers are: text alone, whole, and without some parameters. */
async function answerPlain(request: IncomingMessage, response: ServerResponse) {
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const sent = await text(request);
  if (down) return answer(401, { error: { message: 'Incorrect API key', code: 'invalid_api_key' } });
  if (request.url !== '/v1/chat/completions') return answer(404, { error: 'not found' });
  const asked = JSON.parse(sent) as Record<string, unknown>;
  for (const name of ['stream_options', 'response_format'])
    if (name in asked) return answer(400, { error: { message: `Unrecognized request argument: ${name}` } });
  if (picture && 'modalities' in asked)
    return answer(200, {
      choices: [{ message: { content: '', images: [{ image_url: { url: picture } }] } }],
    });
  const content = JSON.stringify(asked['messages']).includes('JSON Schema')
    ? '{"word":"heron"}'
    : 'one two three';
  return answer(200, {
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
}

const examine = (url: string) =>
  examineService(configOf({ url }, { apiKey: 'sk-1' }), AbortSignal.timeout(60_000));
const ofPlain = () => examine(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/v1`);

it('finds all abilities of a service that has them', async () => {
  const findings = await examine(fake.url);
  expect(findings.map(({ ability, works }) => [ability, works])).toEqual(
    ['text', 'stream', 'json', 'generate', 'edit'].map((ability) => [ability, true]),
  );
  expect(findings.at(-1)!.detail).toBe('a picture of 1024 × 1024, PNG');
});

it('says what a service lacks and refuses', async () => {
  const fetchBefore = globalThis.fetch;
  const findings = await ofPlain();
  expect(findings).toMatchObject([
    { ability: 'text', works: true, leftOut: ['stream_options'] },
    { ability: 'stream', works: false, detail: 'the whole answer comes at once' },
    {
      ability: 'json',
      works: true,
      detail: 'answers with the schema: “heron”',
      leftOut: ['response_format'],
    },
    { ability: 'generate', works: false },
    { ability: 'edit', works: false },
  ]);
  expect(globalThis.fetch).toBe(fetchBefore);
});

it('does not call left out what an endpoint refused that it does not use', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  picture = `data:image/png;base64,${png.toString('base64')}`;
  const findings = await ofPlain();
  picture = null;
  expect(findings.slice(-2)).toMatchObject([
    { ability: 'generate', works: true, leftOut: [] },
    { ability: 'edit', works: true, leftOut: [] },
  ]);
});

it('asks the moderation model where one is configured', async () => {
  const examineOf = (url: string, moderationModel: string | null) =>
    examineModeration(
      {
        main: configOf({ url }),
        fallback: null,
        moderationModel,
        breaker: { failures: 5, seconds: 10 },
      },
      AbortSignal.timeout(60_000),
    );
  expect(await examineOf(fake.url, null)).toBeNull();
  expect(await examineOf(fake.url, 'omni-moderation')).toMatchObject({ works: true, detail: 'answers' });
  const { port } = plain.address() as AddressInfo;
  expect(await examineOf(`http://127.0.0.1:${port}/v1`, 'omni-moderation')).toMatchObject({
    ability: 'moderation',
    works: false,
  });
});

it('stops at a service that answers no text', async () => {
  down = true;
  const findings = await ofPlain();
  down = false;
  expect(findings).toMatchObject([
    { ability: 'text', works: false, detail: expect.stringMatching(/key/) },
    { ability: 'stream', works: false, detail: 'without text' },
  ]);
});
