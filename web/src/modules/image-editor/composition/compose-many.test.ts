/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { fakeComposer } from '../../../../../test/web/fake-composer';
import { ApiFailure, type Http } from '../../../shared/http/http';
import { composePicture } from './compose-many';
import { defaultSettings } from './settings';

fakeComposer();
beforeEach(() => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('bytes'));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const version = { id: 'v1', number: 1, content: '/files/cut', current: true, cutOut: true };

/** Composes a picture on a server whose answers to the saving are `saves`, in this order. */
async function compose(saves: (Response | Error)[]) {
  const keys: (string | undefined)[] = [];
  const http: Http = {
    send: async (method, _url, { headers }) => {
      if (method === 'GET') return Response.json({ success: true, versions: [version] });
      keys.push(headers?.['Idempotency-Key']);
      const answer = saves.shift();
      if (answer instanceof Response) return answer;
      throw answer ?? new Error('No answer is left.');
    },
  };
  const composed = composePicture(
    http,
    { creationId: 'c1', name: 'a.png' },
    { settings: defaultSettings, picture: null },
    'the key',
    new AbortController().signal,
  ).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(60_000);
  return { composed: await composed, keys };
}
const lost = () => new ApiFailure('UNREACHABLE', 'You are offline.', { status: 0 });
const saved = () => Response.json({ success: true, version: {}, creation: {} });

it('is saved once although its answers were lost and it came too fast', async () => {
  const tooFast = Response.json(
    { success: false, code: 'RATE_LIMITED', message: 'Too fast.', requestId: 'r' },
    { status: 429, headers: { 'Retry-After': '20' } },
  );
  const { composed, keys } = await compose([lost(), tooFast, lost(), saved()]);
  expect(composed).toEqual({ creationId: 'c1', before: 'v1' });
  expect(keys).toEqual(Array.from({ length: 4 }, () => 'the key'));
});

it('gives up after the fourth lost answer', async () => {
  const { composed, keys } = await compose([lost(), lost(), lost(), lost(), saved()]);
  expect(composed).toMatchObject({ code: 'UNREACHABLE' });
  expect(keys).toHaveLength(4);
});
