import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider } from '../../test/provider/server.js';
import type { BilledResponse } from './engine.js';
import { createOpenAiProvider } from './openai-provider.js';

let close: () => void = () => undefined;
afterEach(() => close());

async function read(baseUrl: string) {
  const provider = createOpenAiProvider(configOf({ url: baseUrl }));
  const responses: BilledResponse[] = [];
  const ask = async () => {
    let text = '';
    const messages = [{ role: 'user' as const, content: 'Rivers' }];
    const onResponse = (response: BilledResponse) => void responses.push(response);
    for await (const piece of provider.streamChat({ messages, onResponse }, new AbortController().signal))
      text += piece;
    return text;
  };
  return { ask, responses };
}

it('reports the tokens of an answer where the provider counts them', async () => {
  const provider = await startFakeProvider();
  close = () => void provider.close();
  const { ask, responses } = await read(provider.url);
  await ask();
  expect(responses).toMatchObject([{ usage: { input: expect.any(Number), output: expect.any(Number) } }]);
  expect(responses[0]!.usage!.output).toBeGreaterThan(0);
});

it('repeats a request without usage if the server refuses it, and remembers that', async () => {
  const asked: boolean[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      asked.push(body.includes('stream_options'));
      if (asked.at(-1)) {
        const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }];
        response.writeHead(422, { 'Content-Type': 'application/json' }).end(JSON.stringify({ detail }));
        return;
      }
      const chunk = { choices: [{ index: 0, delta: { content: 'Ink' }, finish_reason: 'stop' }] };
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => server.close();
  const { ask, responses } = await read(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  expect(await ask()).toBe('Ink');
  expect(await ask()).toBe('Ink');
  expect(asked).toEqual([true, false, false]);
  expect(responses).toEqual(
    [1, 2].map(() => ({ usage: null, inputCharacters: 6, outputCharacters: 3, images: 0 })),
  );
});
