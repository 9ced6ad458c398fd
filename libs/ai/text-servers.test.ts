import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EngineError } from '#libs/contract/engine.js';
import { providerOf } from '../../test/provider/config.js';
import { completeJson } from './complete-json.js';
import type { BilledResponse, ChatMessage } from './engine.js';

/** Servers with OpenAI's protocol, as users of other products reported them. */

interface Asked {
  messages: ChatMessage[];
  stream?: boolean;
  response_format?: unknown;
}
type Reply = (asked: Asked, response: ServerResponse, count: number) => void | Promise<void>;

let server: Server;
let reply: Reply;
let asked: Asked[];
beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request) body += String(piece);
  asked.push(JSON.parse(body) as Asked);
  await reply(asked.at(-1)!, response, asked.length);
}

const chunk = (delta: object, finish_reason?: string | null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...(finish_reason !== undefined && { finish_reason }) }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** Sends an answer as events, in pieces of 7 characters. */
function stream(response: ServerResponse, text: string, end = `${chunk({}, 'stop')}${DONE}`): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of text.match(/[\s\S]{1,7}/g) ?? []) response.write(chunk({ content }));
  response.end(end);
}
function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const open = (settings: { firstTokenSeconds?: number } = {}) => {
  asked = [];
  const { port } = server.address() as AddressInfo;
  return providerOf({ url: `http://127.0.0.1:${port}/v1` }, settings);
};
const messages: ChatMessage[] = [
  { role: 'system', content: 'Write about tea.' },
  { role: 'user', content: 'Tea' },
];

async function read(
  provider = open(),
  more: { onThinking?: () => void; onResponse?: (response: BilledResponse) => void } = {},
): Promise<string> {
  let text = '';
  for await (const piece of provider.streamChat({ messages, ...more }, new AbortController().signal))
    text += piece;
  return text;
}
const refusal = async (provider = open()): Promise<EngineError> => {
  const error: unknown = await read(provider).then(
    (text) => text,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
};

const TEA = 'Tea is a drink.';

describe('an answer is served whole', () => {
  it.each<[string, Reply]>([
    [
      'with thoughts in tags (Ollama, vLLM without a reasoning parser)',
      (_, r) => stream(r, `<think>\nHm.\n</think>\n\n${TEA}`),
    ],
    [
      'with thoughts that look like thoughts (DeepSeek R1 templates)',
      (_, r) => stream(r, `Okay, the user wants tea.\n</think>\n\n${TEA}`),
    ],
    [
      'with harmony channels (llama.cpp, gpt-oss)',
      (_, r) =>
        stream(
          r,
          `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>${TEA}<|return|>`,
        ),
    ],
    ['with an end token (LM Studio)', (_, r) => stream(r, `${TEA}<|im_end|>`)],
    ['without finish_reason, with [DONE]', (_, r) => stream(r, TEA, DONE)],
    ['with an empty finish_reason', (_, r) => stream(r, TEA, `${chunk({}, '')}${DONE}`)],
    ['with the end of other vendors', (_, r) => stream(r, TEA, `${chunk({}, 'end_turn')}${DONE}`)],
    [
      'with content as a list (Mistral)',
      (_, r) => {
        r.writeHead(200, { 'content-type': 'text/event-stream' });
        r.write(chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }));
        r.write(chunk({ content: [{ type: 'text', text: 'Tea is ' }] }));
        r.end(`${chunk({ content: [{ type: 'text', text: 'a drink.' }] }, 'stop')}${DONE}`);
      },
    ],
    [
      'as JSON in spite of stream: true',
      (_, r) =>
        json(r, 200, {
          choices: [{ message: { role: 'assistant', content: TEA }, finish_reason: 'stop' }],
          usage: null,
        }),
    ],
    [
      'as JSON with thoughts',
      (_, r) =>
        json(r, 200, {
          choices: [{ message: { content: `<think>Hm.</think>${TEA}` }, finish_reason: 'stop' }],
        }),
    ],
    [
      'with comments and CRLF',
      (_, r) => {
        r.writeHead(200, { 'content-type': 'text/event-stream' });
        r.end(
          `: OPENROUTER PROCESSING\r\n\r\n${chunk({ content: TEA }).replaceAll('\n', '\r\n')}${chunk({}, 'stop').replaceAll('\n', '\r\n')}data: [DONE]\r\n\r\n`,
        );
      },
    ],
  ])('%s', async (_, given) => {
    reply = given;
    expect((await read()).trim()).toBe(TEA);
    expect(asked).toHaveLength(1);
  });

  it('after the second try, if thoughts without a tag were sent first', async () => {
    reply = (_, r) => stream(r, `Tea needs an introduction.\n</think>\n\n${TEA}`);
    const provider = open();
    expect(await refusal(provider)).toMatchObject({ retryable: true });
    expect((await read(provider)).trim()).toBe(TEA);
  });

  it('after a cold start, while comments come', async () => {
    reply = async (_, r) => {
      r.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let n = 0; n < 6; n += 1) {
        r.write(': loading the model\n\n');
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      r.end(`${chunk({ content: TEA })}${chunk({}, 'stop')}${DONE}`);
    };
    expect(await read(open({ firstTokenSeconds: 1 }))).toBe(TEA);
  });

  it('by a model without the role system, which is remembered', async () => {
    reply = (body, r) =>
      body.messages.some(({ role }) => role === 'system')
        ? json(r, 400, {
            error: { message: 'System role not supported', type: 'BadRequestError', code: 400 },
          })
        : stream(r, TEA);
    const provider = open();
    expect(await read(provider)).toBe(TEA);
    expect(await read(provider)).toBe(TEA);
    expect(asked).toHaveLength(3);
    expect(asked.at(-1)!.messages).toEqual([{ role: 'user', content: 'Write about tea.\n\nTea' }]);
  });

  it('from two parts, if it reached the maximum length once', async () => {
    reply = (_, r, count) =>
      count === 1
        ? stream(r, 'Tea is a drink of lea', `${chunk({}, 'length')}${DONE}`)
        : stream(r, 'is a drink of leaves.');
    expect(await read()).toBe('Tea is a drink of leaves.');
    expect(asked[1]!.messages.slice(0, 3)).toEqual([
      ...messages,
      { role: 'assistant', content: 'Tea is a drink of lea' },
    ]);
  });

  it('with usage as text, and thinking reported once', async () => {
    const usage = { prompt_tokens: '12', completion_tokens: '3' };
    reply = (_, r) =>
      stream(
        r,
        `<think>Hm. And so on.</think>${TEA}`,
        `${chunk({}, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\n${DONE}`,
      );
    const [thinking, used]: [number[], unknown[]] = [[], []];
    await read(open(), { onThinking: () => thinking.push(1), onResponse: ({ usage }) => used.push(usage) });
    expect(thinking).toHaveLength(1);
    expect(used).toEqual([{ input: 12, output: 3 }]);
  });
});

describe('an answer is refused', () => {
  it.each<[string, Reply, object]>([
    [
      'that has thoughts alone',
      (_, r) => stream(r, '<think>The user wants tea.'),
      { retryable: true, message: /empty answer/ },
    ],
    [
      'that ended with an error',
      (_, r) => stream(r, TEA, `${chunk({}, 'error')}${DONE}`),
      { retryable: true, message: /before its answer was complete/ },
    ],
    [
      'for lack of resources (DeepSeek)',
      (_, r) => stream(r, TEA, `${chunk({}, 'insufficient_system_resource')}${DONE}`),
      { retryable: true },
    ],
    [
      'that ended for a reason that is not known',
      (_, r) => stream(r, TEA, `${chunk({}, 'abort')}${DONE}`),
      { retryable: true },
    ],
    ['that ended without finish_reason and [DONE]', (_, r) => stream(r, TEA, ''), { retryable: true }],
    [
      'that reached the maximum length twice',
      (_, r) => stream(r, TEA, `${chunk({}, 'length')}${DONE}`),
      { retryable: false, message: /shorter/ },
    ],
    [
      'that Gemini blocked',
      (_, r) => stream(r, '', `${chunk({}, 'SAFETY')}${DONE}`),
      { retryable: false, message: /content rules/ },
    ],
    [
      'with an error in 200 (OpenRouter)',
      (_, r) => json(r, 200, { error: { code: 429, message: 'Rate limited upstream' } }),
      { retryable: true, message: /busy/ },
    ],
  ])('%s', async (_, given, expected) => {
    reply = given;
    const { message, ...others } = expected as { message?: RegExp };
    const error = await refusal();
    expect(error).toMatchObject(others);
    if (message) expect(error.message).toMatch(message);
  });

  it.each<[string, number, unknown]>([
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
        type: 'BadRequestError',
        code: 400,
      },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
    ],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 210000 tokens > 200000 maximum',
        },
      },
    ],
    [
      'a 200 with an error',
      200,
      { error: { message: 'Input token count (40000) exceeds the maximum number of tokens allowed' } },
    ],
  ])('of a text that is too long for %s, in words that say so', async (_, status, body) => {
    reply = (_asked, r) => json(r, status, body);
    const error = await refusal();
    expect(error.message).toContain('too long');
    expect(error.retryable).toBe(false);
  });

  it('for the quota, in Gemini’s list', async () => {
    reply = (_, r) =>
      json(r, 429, [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota, please check your plan.',
            status: 'RESOURCE_EXHAUSTED',
          },
        },
      ]);
    expect((await refusal()).message).toContain('no credit left');
  });
});

describe('JSON is read', () => {
  const schema = z.object({
    skills: z.array(z.object({ name: z.string(), required: z.boolean(), years: z.number() })),
  });
  const value = { skills: [{ name: 'SQL', required: true, years: 3 }] };
  const ask = () =>
    completeJson(
      open(),
      { instructions: 'List.', material: 'SQL', name: 'skills', schema },
      new AbortController().signal,
    );

  it.each<[string, string]>([
    ['after thoughts', `<think>{"skills": []}</think>${JSON.stringify(value)}`],
    ['inside of result', JSON.stringify({ result: value })],
    ['as text inside of result', JSON.stringify({ result: JSON.stringify(value) })],
    ['with words for true and numbers', '{"skills": [{"name": "SQL", "required": "True", "years": "3"}]}'],
    ['in a fence with a remark', `Sure:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\nAnything else?`],
  ])('%s', async (_, text) => {
    reply = (_asked, r) => stream(r, text);
    expect(await ask()).toEqual(value);
    expect(asked).toHaveLength(1);
  });
});
