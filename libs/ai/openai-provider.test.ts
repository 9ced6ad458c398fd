import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { configOf } from '../../test/provider/config.js';
import { startFakeProvider, type FakeProvider, type ProviderRequest } from '../../test/provider/server.js';
import { until } from '../../test/support/until.js';
import { createEngine } from './create-engine.js';
import { EngineError } from '#libs/contract/engine.js';
import { createOpenAiProvider } from './openai-provider.js';

const API_KEY = 'sk-fake-secret';
let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.close());
afterEach(() => void jest.useRealTimers());

const configFor = (changes: Partial<OpenAiConfig> = {}) => configOf(fake, { apiKey: API_KEY, ...changes });

const never = () => new AbortController().signal;

interface Reading {
  pieces: string[];
  error: unknown;
}

/** Reads an answer to its end. @returns its chunks as `pieces`, and as `error` the error of the stream, if any */
async function ask(
  prompt: string,
  changes?: Partial<OpenAiConfig>,
  signal = never(),
  pieces: string[] = [],
): Promise<Reading> {
  try {
    const messages = [{ role: 'user' as const, content: prompt }];
    for await (const piece of createOpenAiProvider(configFor(changes)).streamChat({ messages }, signal)) {
      pieces.push(piece);
    }
    return { pieces, error: null };
  } catch (error) {
    return { pieces, error };
  }
}

async function refusal(prompt: string, changes?: Partial<OpenAiConfig>): Promise<EngineError> {
  const { error } = await ask(prompt, changes);
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

const last = (): ProviderRequest => fake.requests.at(-1) as ProviderRequest;

/** Waits until the fake provider's side of the request has been closed. */
async function waitForEnd(request: ProviderRequest) {
  await until('the end of the request', () => !request.open);
}

describe('a whole answer', () => {
  it('has no U+0000, which PostgreSQL cannot store', async () => {
    fake.script({ text: 'Ink\u0000 and paper' });
    const { pieces, error } = await ask('Ink');
    expect(error).toBeNull();
    expect(pieces.join('')).toBe('Ink and paper');
  });

  it('is streamed piece by piece, with the key and model of the configuration', async () => {
    const { pieces, error } = await ask('Lighthouses [[words:120]]');
    expect(error).toBeNull();
    expect(pieces.length).toBeGreaterThan(20);
    expect(pieces.join('')).toMatch(/^# Lighthouses\n\n## /);
    await waitForEnd(last());
    expect(last().abortedAt).toBeNull();
    expect(last().headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(last().body).toEqual({
      model: 'fake-model',
      messages: [{ role: 'user', content: 'Lighthouses [[words:120]]' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('may end because it reached its maximum length', async () => {
    const { pieces, error } = await ask('Lighthouses [[length]]');
    expect(error).toBeNull();
    expect(pieces.length).toBeGreaterThan(0);
  });

  it('does not contain the reasoning of a model', async () => {
    const { pieces, error } = await ask('Lighthouses [[reasoning:5]]');
    expect(error).toBeNull();
    expect(pieces.join('')).not.toContain('Thinking');
  });

  it('may start late while the model streams reasoning', async () => {
    const { error } = await ask('Lighthouses [[reasoning:8]] [[pace:500]] [[words:4]]', {
      firstTokenSeconds: 3,
      idleSeconds: 3,
    });
    expect(error).toBeNull();
  });

  it('is not timed while its reader is busy', async () => {
    const messages = [{ role: 'user' as const, content: 'Lighthouses [[words:12]] [[pace:20]]' }];
    const provider = createOpenAiProvider(configFor());
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    let read = 0;
    for await (const piece of provider.streamChat({ messages }, never())) {
      read += piece.length;
      jest.advanceTimersByTime(60_000);
    }
    expect(read).toBeGreaterThan(0);
  });
});

describe('a retryable failure', () => {
  it('429 has the provider’s wait', async () => {
    const error = await refusal('Busy [[429:1]] [[retry-after:7]]');
    expect(error).toMatchObject({ retryable: true, retryAfterMs: 7000 });
    expect(error.message).toContain('busy');
    const again = await ask('Busy [[429:1]] [[retry-after:7]]');
    expect(again.error).toBeNull();
  });

  it('429 takes an HTTP date, and milliseconds', async () => {
    fake.script({ status: 429, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } });
    const dated = await refusal('Busy');
    expect(dated.retryAfterMs).toBeGreaterThan(50_000);
    expect(dated.retryAfterMs).toBeLessThanOrEqual(60_000);
    fake.script({ status: 429, headers: { 'retry-after-ms': '250' } });
    expect((await refusal('Busy')).retryAfterMs).toBe(250);
  });

  it.each([500, 502, 503, 408])('%i', async (status) => {
    expect(await refusal(`Fault [[${status}]]`)).toMatchObject({ retryable: true, retryAfterMs: undefined });
  });

  it('each call is one request: the job platform retries, not the client', async () => {
    const before = fake.requests.length;
    await refusal('Fault [[500]] once');
    expect(fake.requests.length).toBe(before + 1);
  });

  it('an error in mid-stream', async () => {
    const { pieces, error } = await ask('Fault [[broken]]');
    expect(pieces.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ name: 'EngineError', retryable: true });
  });

  it('a stream that is cut is incomplete', async () => {
    const { pieces, error } = await ask('Cut [[cut]]');
    expect(pieces.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ name: 'EngineError', retryable: true });
    expect((error as Error).message).toContain('stopped before its answer was complete');
  });

  it('a stream without a finish_reason is incomplete', async () => {
    const { error } = await ask('Cut [[unfinished]]');
    expect(error).toMatchObject({ name: 'EngineError', retryable: true });
  });

  it.each(['[[empty]]', '[[empty]] [[length]]'])('an empty answer: %s', async (markers) => {
    expect(await refusal(`Nothing ${markers}`)).toMatchObject({ retryable: true });
  });

  it('an answer of white space only', async () => {
    fake.script({ text: ' \n ' });
    const { error } = await ask('Nothing');
    expect(error).toMatchObject({ name: 'EngineError', retryable: true });
  });

  it.each([
    ['a very long answer', { text: 'On and on. '.repeat(20_000) }],
    ['an answer that never ends', { endless: true }],
  ])('%s', async (_, behaviour) => {
    fake.script(behaviour);
    const { error } = await ask('Everything');
    expect(error).toMatchObject({ name: 'EngineError', retryable: false });
    expect((error as Error).message).toContain('too long');
  });

  it('no server listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await refusal('Hello', { baseUrl: `http://127.0.0.1:${port}/v1` });
    expect(error.retryable).toBe(true);
    expect(error.message).toContain('could not be reached');
    expect(String((error.cause as Error).message)).toContain('ECONNREFUSED');
  });

  it.each([
    ['before the headers', '[[hang:headers]]'],
    ['before the first token', '[[hang]]'],
  ])('silence %s ends the request at the first-token limit', async (_, marker) => {
    const error = await refusal(`Silence ${marker}`, { firstTokenSeconds: 2 });
    expect((error.cause as Error).message).toBe('no token in 2 s');
    expect(error.retryable).toBe(true);
    expect(error.message).toContain('did not begin to answer');
    await waitForEnd(last());
    expect(last().abortedAt).not.toBeNull();
  });

  it('silence in mid-stream ends the request at the idle limit', async () => {
    const { pieces, error } = await ask('Silence [[hang:stream]]', { idleSeconds: 0.3 });
    expect(pieces.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ name: 'EngineError', retryable: true });
    expect((error as Error).message).toContain('in the middle');
    await waitForEnd(last());
    expect(last().abortedAt).not.toBeNull();
  });
});

describe('a failure that is final', () => {
  it('names the variable to check for a rejected key, and never the key', async () => {
    const strict = await startFakeProvider({ apiKey: 'another' });
    try {
      const error = await refusal('Hello', { baseUrl: strict.url });
      expect(error.retryable).toBe(false);
      expect(error.message).toBe(
        'The AI service refused our key. An operator needs to check OPENAI_API_KEY.',
      );
      expect(`${error.stack} ${(error.cause as Error).stack}`).not.toContain('sk-');
    } finally {
      await strict.close();
    }
  });

  it('keeps a key that the server quotes out of the log', async () => {
    fake.script({ status: 403, code: `no model for ${API_KEY}` });
    const error = await refusal('Hello');
    expect((error.cause as Error).message).toContain('[key]');
    expect((error.cause as Error).message).not.toContain(API_KEY);
  });

  it.each([
    [400, 'Word it differently'],
    [401, 'OPENAI_API_KEY'],
    [403, 'AI_TEXT_MODEL'],
    [404, 'OPENAI_BASE_URL'],
  ])('%i', async (status, words) => {
    const error = await refusal(`Wrong [[${status}]]`);
    expect(error.retryable).toBe(false);
    expect(error.message).toContain(words);
  });

  it.each([
    [400, 'context_length_exceeded', 'Shorten it'],
    [429, 'insufficient_quota', 'billing'],
    [400, 'content_filter', 'content rules'],
  ])('%i with code %s', async (status, code, words) => {
    fake.script({ status, code });
    const error = await refusal('Wrong');
    expect(error.retryable).toBe(false);
    expect(error.message).toContain(words);
  });

  it('an answer that the content filter ended', async () => {
    const { error } = await ask('Wrong [[content_filter]]');
    expect(error).toMatchObject({ name: 'EngineError', retryable: false });
    expect((error as Error).message).toContain('content rules');
  });
});

describe('an aborted signal', () => {
  const reason = new Error('cancelled by the user');

  it('before the call sends nothing', async () => {
    const before = fake.requests.length;
    const { error } = await ask('Abort', {}, AbortSignal.abort(reason));
    expect(error).toBe(reason);
    expect(fake.requests.length).toBe(before);
  });

  it.each<[string, string, (request: ProviderRequest, pieces: string[]) => boolean]>([
    ['before the headers', '[[hang:headers]]', ({ body }) => body !== null],
    ['before the first token', '[[hang]]', ({ headersSent }) => headersSent],
    ['in mid-stream', '[[hang:stream]]', (_, pieces) => pieces.length > 0],
    ['while pieces come', '[[slow]]', (_, pieces) => pieces.length > 0],
  ])('%s rejects with its reason and ends the request', async (_, marker, isThere) => {
    const controller = new AbortController();
    const before = fake.requests.length;
    const pieces: string[] = [];
    const reading = ask(`Abort ${marker}`, {}, controller.signal, pieces);
    const request = await until('the request', () => fake.requests[before]);
    await until('the answer to be at that point', () => isThere(request, pieces));
    expect(request.open).toBe(true);
    controller.abort(reason);
    expect((await reading).error).toBe(reason);
    await waitForEnd(request);
    expect(request.abortedAt).not.toBeNull();
  });

  it('drops pieces that had already arrived', async () => {
    const controller = new AbortController();
    const messages = [{ role: 'user' as const, content: 'Abort [[words:400]]' }];
    const read: string[] = [];
    const reading = (async () => {
      for await (const piece of createOpenAiProvider(configFor()).streamChat(
        { messages },
        controller.signal,
      )) {
        read.push(piece);
        if (read.length === 3) controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(read.length).toBe(3);
  });
});

it('a reader that leaves early ends the request', async () => {
  const messages = [{ role: 'user' as const, content: 'Leave [[slow]]' }];
  for await (const piece of createOpenAiProvider(configFor()).streamChat({ messages }, never())) {
    expect(piece).not.toBe('');
    break;
  }
  await waitForEnd(last());
  expect(last().abortedAt).not.toBeNull();
});

it('without a configuration the engine is offline', async () => {
  const log = { breakerChanged: () => undefined, askedFallback: () => undefined, called: () => undefined };
  const ai = {
    main: configFor(),
    fallback: null,
    moderationModel: null,
    breaker: { failures: 5, seconds: 10 },
  };
  expect(await createEngine(null, log)).toEqual({ provider: null, breakers: [] });
  expect((await createEngine(ai, log)).provider?.name).toBe('openai');
});
