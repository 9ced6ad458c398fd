import { expect, it } from '@jest/globals';
import { providerOf } from '../../test/support/stub-provider.ts';
import { EngineError } from '#libs/contract/engine.js';
import type { ChatRequest, ProviderCall } from './engine.js';
import { observeProvider } from './observed-provider.js';

const request: ChatRequest = { messages: [{ role: 'user', content: 'Rivers' }] };

/** Observes a provider with this implementation of `streamChat`. `calls` collects the reported calls. */
function observed(answer: (request: ChatRequest) => AsyncIterable<string>) {
  const calls: ProviderCall[] = [];
  const provider = observeProvider(providerOf(answer), 'main', (call) => calls.push(call));
  const read = async (signal = new AbortController().signal, atMost = Infinity) => {
    const pieces: string[] = [];
    for await (const piece of provider.streamChat(request, signal)) {
      pieces.push(piece);
      if (pieces.length >= atMost) break;
    }
    return pieces;
  };
  return { calls, read, provider };
}

async function* two(asked: ChatRequest) {
  yield 'Ink ';
  yield 'and paper';
  asked.onResponse?.({
    usage: { input: 7, output: 3 },
    inputCharacters: 6,
    outputCharacters: 13,
    images: 0,
  });
}

it('reports a complete answer once, with its tokens and the time to its first piece', async () => {
  const { calls, read } = observed(two);
  expect(await read()).toEqual(['Ink ', 'and paper']);
  expect(calls).toEqual([
    {
      id: expect.any(String),
      provider: 'main',
      startedAt: expect.any(Date),
      operation: 'chat',
      model: 'fake-model',
      outcome: 'ok',
      seconds: expect.any(Number),
      firstTokenSeconds: expect.any(Number),
      usage: { input: 7, output: 3 },
      responses: [expect.objectContaining({ outputCharacters: 13 })],
    },
  ]);
});

it('reports a call as stopped when its reader leaves', async () => {
  const { calls, read } = observed(two);
  await read(undefined, 1);
  expect(calls.map(({ outcome }) => outcome)).toEqual(['stopped']);
});

it.each([
  [new EngineError('Busy.', { retryable: true }), 'passing_error'],
  [new EngineError('No.', { retryable: false }), 'final_error'],
] as const)('rethrows %s, and reports it as %s', async (error, outcome) => {
  // eslint-disable-next-line require-yield
  const { calls, read } = observed(async function* () {
    throw error;
  });
  await expect(read()).rejects.toBe(error);
  expect(calls).toMatchObject([{ outcome, firstTokenSeconds: undefined }]);
});

it('does not report our own abort as an error', async () => {
  const stop = new AbortController();
  // eslint-disable-next-line require-yield
  const { calls, read } = observed(async function* () {
    stop.abort(new Error('cancelled'));
    throw stop.signal.reason;
  });
  await expect(read(stop.signal)).rejects.toThrow('cancelled');
  expect(calls).toMatchObject([{ outcome: 'stopped' }]);
});

it('reports an image under the image model', async () => {
  const { calls, provider } = observed(two);
  const asked = provider.generateImage({ prompt: 'A lamp', size: '1024x1024' }, new AbortController().signal);
  await expect(asked).rejects.toThrow();
  expect(calls).toMatchObject([
    { operation: 'generate_image', model: 'fake-image-model', outcome: 'passing_error' },
  ]);
});
