import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EngineError } from '#libs/contract/engine.js';
import { providerOf } from '../../test/provider/config.js';
import {
  chunk,
  DONE,
  event,
  json,
  startTextServer,
  stream,
  type TextServer,
} from '../../test/provider/text-services.js';
import { completeJson } from './complete-json.js';
import type { ChatMessage, ChatRequest } from './engine.js';

/** What depends on more than one answer of a server. test/tools/text-services.long.test.ts has the table of servers. */

let server: TextServer;
beforeAll(async () => {
  server = await startTextServer();
});
afterAll(() => server.close());

const open = (settings: { firstTokenSeconds?: number } = {}) => {
  server.asked = [];
  return providerOf(server, settings);
};
const messages: ChatMessage[] = [
  { role: 'system', content: 'Write about tea.' },
  { role: 'user', content: 'Tea' },
];

async function read(
  provider = open(),
  more: Pick<ChatRequest, 'onThinking' | 'onResponse' | 'onPages'> = {},
): Promise<string> {
  let text = '';
  for await (const piece of provider.streamChat({ messages, ...more }, new AbortController().signal))
    text += piece;
  return text;
}

type Reply = (response: ServerResponse) => void;

const TEA = 'Tea is a drink.';
const USED = { prompt_tokens: 12, completion_tokens: 3 };
const USAGE = { input: 12, output: 3 };

describe('an answer is served whole', () => {
  it('after the second try, if thoughts without a tag were sent first', async () => {
    server.reply = ({ response }) => stream(response, `Tea needs an introduction.\n</think>\n\n${TEA}`);
    const provider = open();
    const error = await read(provider).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ retryable: true });
    expect((await read(provider)).trim()).toBe(TEA);
  });

  it('as it is sent again, after an answer without thoughts', async () => {
    const thoughts = `Tea needs an introduction.\n</think>\n\n${TEA}`;
    const provider = open();
    server.reply = ({ response }) => stream(response, thoughts);
    await expect(read(provider)).rejects.toThrow(EngineError);
    server.reply = ({ response }) => stream(response, TEA);
    expect(await read(provider)).toBe(TEA);
    // An answer that streams shows the thoughts, an answer that is held does not.
    server.reply = ({ response }) => stream(response, thoughts);
    await expect(read(provider)).rejects.toThrow(EngineError);
  });

  it('after a cold start, while comments come', async () => {
    server.reply = async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let n = 0; n < 9; n += 1) {
        response.write(': loading the model\n\n');
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      response.end(`${chunk({ content: TEA })}${chunk({}, 'stop')}${DONE}`);
    };
    expect(await read(open({ firstTokenSeconds: 3 }))).toBe(TEA);
  });

  it('by a model without the role system, which is remembered', async () => {
    server.reply = ({ asked, response }) =>
      asked.messages.some(({ role }) => role === 'system')
        ? json(response, 400, { error: { message: 'System role not supported', code: 400 } })
        : stream(response, TEA);
    const provider = open();
    expect(await read(provider)).toBe(TEA);
    expect(await read(provider)).toBe(TEA);
    expect(server.asked).toHaveLength(3);
    expect(server.asked.at(-1)!.messages).toEqual([{ role: 'user', content: 'Write about tea.\n\nTea' }]);
  });

  it('as a whole by a server that refuses a stream of JSON, which still streams texts', async () => {
    const refusal = { message: 'Streaming is not supported with response_format.', param: 'stream' };
    server.reply = ({ asked, response }) => {
      if (!asked.response_format) stream(response, TEA);
      else if (asked.stream) json(response, 400, { error: refusal });
      else json(response, 200, { choices: [{ message: { content: '{}' }, finish_reason: 'stop' }] });
    };
    const provider = open();
    const { signal } = new AbortController();
    const form = { name: 'tea', schema: {} };
    let answer = '';
    for await (const piece of provider.streamChat({ messages, json: form }, signal)) answer += piece;
    expect(answer).toBe('{}');
    expect(await read(provider)).toBe(TEA);
    expect(server.asked.map(({ stream }) => stream)).toEqual([true, undefined, true]);
  });

  it.each([
    ["('body', 'response_format', 'type'): Input should be 'text' or 'json_object'", [true, false, false]],
    [
      'The model produced output that does not match the expected peg-native format',
      [true, false, true, false],
    ],
  ])('as JSON without a schema by a server that fails with status 500: %s', async (message, sent) => {
    server.reply = ({ asked, response }) =>
      asked.response_format ? json(response, 500, { error: { message } }) : stream(response, '{}');
    const provider = open();
    const request = { messages, json: { name: 'tea', schema: {} } };
    for (let n = 0; n < 2; n += 1) {
      let answer = '';
      for await (const piece of provider.streamChat(request, new AbortController().signal)) answer += piece;
      expect(answer).toBe('{}');
    }
    expect(server.asked.map(({ response_format }) => response_format !== undefined)).toEqual(sent);
  });

  it('as a whole by a server that does not stream, which takes longer than a first piece', async () => {
    server.reply = async ({ asked, response }) => {
      if (asked.stream)
        return json(response, 400, { error: { message: 'verify to stream', param: 'stream' } });
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      json(response, 200, { choices: [{ message: { content: TEA }, finish_reason: 'stop' }] });
    };
    expect(await read(open({ firstTokenSeconds: 1 }))).toBe(TEA);
  });

  it('from two parts, if it reached the maximum length once', async () => {
    server.reply = ({ response }) =>
      server.asked.length === 1
        ? stream(response, 'Tea is a drink of lea', { end: `${chunk({}, 'length')}${DONE}` })
        : stream(response, 'is a drink of leaves.');
    expect(await read()).toBe('Tea is a drink of leaves.');
    expect(server.asked[1]!.messages.slice(0, 3)).toEqual([
      ...messages,
      { role: 'assistant', content: 'Tea is a drink of lea' },
    ]);
  });

  it('with usage as text, and thinking reported once', async () => {
    const usage = { prompt_tokens: '12', completion_tokens: '3' };
    server.reply = ({ response }) =>
      stream(response, `<think>Hm. And so on.</think>${TEA}`, {
        size: 7,
        end: `${chunk({}, 'stop')}${event({ choices: [], usage })}${DONE}`,
      });
    const [thinking, used]: [number[], unknown[]] = [[], []];
    await read(open(), { onThinking: () => thinking.push(1), onResponse: ({ usage }) => used.push(usage) });
    expect(thinking).toHaveLength(1);
    expect(used).toEqual([{ input: 12, output: 3 }]);
  });

  it.each([
    ['in the choice (Moonshot)', { choices: [{ delta: {}, finish_reason: 'stop', usage: USED }] }, USAGE],
    [
      'that counts nothing (LocalAI)',
      {
        choices: [{ delta: {}, finish_reason: 'stop' }],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      },
      null,
    ],
  ])('with usage %s', async (_, last, expected) => {
    server.reply = ({ response }) => stream(response, TEA, { end: event(last) + DONE });
    const used: unknown[] = [];
    await read(open(), { onResponse: ({ usage }) => used.push(usage) });
    expect(used).toEqual([expected]);
  });

  it('with thinking reported from the second of two fields, where the first is empty', async () => {
    server.reply = ({ response }) =>
      stream(response, TEA, { start: chunk({ reasoning_content: '', reasoning: 'Hm.' }) });
    const thinking: number[] = [];
    await read(open(), { onThinking: () => thinking.push(1) });
    expect(thinking).toHaveLength(1);
  });

  it('in bytes that cut characters, with lone surrogates replaced', async () => {
    server.reply = async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const events = `${chunk({ content: 'Té 🍵 ' })}${chunk({ content: '\ud83d' })}${chunk({ content: '.' }, 'stop')}`;
      for (const byte of Buffer.from(events))
        await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
      response.end(DONE.trim());
    };
    expect(await read()).toBe('Té 🍵 \ufffd.');
  });
});

it.each([
  [
    'citations, with the titles of search_results',
    {
      citations: ['https://tea.example/1', 'https://tea.example/2'],
      search_results: [{ title: 'Tea', url: 'https://tea.example/1', date: null }],
    },
    [
      { url: 'https://tea.example/1', title: 'Tea' },
      { url: 'https://tea.example/2', title: null },
    ],
  ],
  [
    'search_results alone',
    { search_results: [{ title: 'Tea', url: 'https://tea.example/1' }] },
    [{ url: 'https://tea.example/1', title: 'Tea' }],
  ],
])('the pages that an answer cites are those of %s', async (_, fields, expected) => {
  const last = event({ ...fields, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  server.reply = ({ response }) => stream(response, TEA, { end: last + DONE });
  const pages: unknown[] = [];
  expect(await read(open(), { onPages: (sent) => pages.splice(0, pages.length, ...sent) })).toBe(TEA);
  expect(pages).toEqual(expected);
});

it.each<[service: string, body: object, message: RegExp]>([
  ['GLM', { code: 401, msg: '令牌已过期或验证不正确', success: false }, /refused our key/],
  ['iFlow', { status: '449', msg: 'Your API Token rate limit exceeded', body: null }, /is busy/],
  ['TGI', { error: 'Model is overloaded', error_type: 'overloaded' }, /is busy/],
  ['DashScope', { code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded.' }, /is busy/],
  ['a gateway', { code: 500, msg: 'upstream' }, /failed/],
])('an error of %s with status 200 is told as such', async (_, body, message) => {
  server.reply = ({ response }) => json(response, 200, body);
  await expect(read()).rejects.toThrow(message);
  server.reply = ({ response }) => stream(response, TEA, { end: event(body) });
  await expect(read()).rejects.toThrow(message);
});

it('a message of success between pieces is no error', async () => {
  server.reply = ({ response }) => stream(response, TEA, { start: event({ code: 0, msg: 'success' }) });
  expect(await read()).toBe(TEA);
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
    ['inside of two objects', JSON.stringify({ answer: { result: value } })],
    ['inside of result beside a status', JSON.stringify({ result: value, status: 'ok' })],
    ['in a list of one', JSON.stringify([value])],
    ['after a reference', `Based on [1]: ${JSON.stringify(value)}`],
    [
      'after its schema',
      `{"type": "object", "properties": {"skills": {"type": "array"}}}\n${JSON.stringify(value)}`,
    ],
    [
      'with words for true inside of result',
      '{"result": {"skills": [{"name": "SQL", "required": "true", "years": 3}]}}',
    ],
    ['in the form of Python', '{"skills": [{"name": "SQL", "required": True, "years": 3}]}'],
    ['with words for true and numbers', '{"skills": [{"name": "SQL", "required": "True", "years": "3"}]}'],
    ['with yes and names of its own', '{"Skills": [{"Name": "SQL", "required": "yes", "YEARS": 3}]}'],
    ['as a list alone', JSON.stringify(value.skills)],
    ['as a text', JSON.stringify(JSON.stringify(value))],
    ['without its last brackets', '{"skills": [{"name": "SQL", "required": true, "years": 3}'],
    ['in a fence with a remark', `Sure:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\nAnything else?`],
  ])('%s', async (_, text) => {
    server.reply = ({ response }) => stream(response, text);
    expect(await ask()).toEqual(value);
    expect(server.asked).toHaveLength(1);
  });

  const text = JSON.stringify(value);
  const whole = (message: object) => ({ choices: [{ message, finish_reason: 'tool_calls' }] });
  const call = (index: number, given: unknown) => ({
    index,
    function: { name: 'skills', arguments: given },
  });
  const piece = (part: string) => chunk({ content: null, tool_calls: [call(0, part)] });
  const end = `${chunk({}, 'tool_calls')}${DONE}`;
  it.each<[string, Reply]>([
    ['tool_calls', (response) => stream(response, text, { piece, end, size: 7 })],
    [
      'tool_calls after a preface',
      (response) => stream(response, text, { start: chunk({ content: 'I list the skills.' }), piece, end }),
    ],
    [
      'the second of two tool_calls',
      (response) =>
        stream(response, text, {
          start: chunk({ tool_calls: [call(0, '{"done": false}')] }),
          piece: (part) => chunk({ tool_calls: [call(1, part)] }),
          end,
        }),
    ],
    [
      'function_call',
      (response) =>
        stream(response, text, {
          piece: (part) => chunk({ function_call: { arguments: part } }),
          end: `${chunk({}, 'function_call')}${DONE}`,
        }),
    ],
    [
      'an object of a whole answer',
      (response) => json(response, 200, whole({ content: '', tool_calls: [call(0, { parameters: value })] })),
    ],
    [
      'function_call of a whole answer',
      (response) =>
        json(response, 200, whole({ content: null, function_call: { name: 'skills', arguments: text } })),
    ],
  ])('from the arguments of a function: %s', async (_, reply) => {
    server.reply = ({ response }) => reply(response);
    expect(await ask()).toEqual(value);
    expect(server.asked).toHaveLength(1);
  });
});
