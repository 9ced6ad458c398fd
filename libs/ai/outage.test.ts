import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Behaviour } from '../../test/provider/behaviour.ts';
import { configOf } from '../../test/provider/config.ts';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.ts';
import { setDate } from '../../test/support/fake-date.ts';
import { until } from '../../test/support/until.ts';
import { createEngine } from './create-engine.js';
import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider, BreakerState } from './engine.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

// The fake provider renders images, which takes longer than a unit test's time limit.
allowTimeForPrograms();

/** Milliseconds that a breaker stays open in these tests. */
const OPEN_MS = 60_000;

/** Advances `Date`, which the breakers' library reads. */
const passTime = (milliseconds: number) => setDate(Date.now() + milliseconds);

/** Uses HTTP to a fake provider. The breakers open after two failures, for OPEN_MS. */
describe('An AI service with an outage', () => {
  const started: FakeProvider[] = [];
  afterEach(() => {
    jest.useRealTimers();
  });
  afterEach(() => Promise.all(started.splice(0).map((provider) => provider.close())));

  async function startFake(defaults: Behaviour = {}): Promise<FakeProvider> {
    const provider = await startFakeProvider({ wordsPerPiece: 2, defaults: { words: 20, ...defaults } });
    started.push(provider);
    return provider;
  }

  /** @param silenceSeconds timeout of the main provider; by default long enough for a busy machine */
  async function engineOf(main: { url: string }, fallback?: { url: string }, silenceSeconds?: number) {
    const changes: string[] = [];
    const asked: EngineError[] = [];
    const { provider, breakers } = await createEngine(
      {
        main: configOf(
          main,
          silenceSeconds ? { firstTokenSeconds: silenceSeconds, idleSeconds: silenceSeconds } : {},
        ),
        fallback: fallback ? configOf(fallback) : null,
        moderationModel: null,
        breaker: { failures: 2, seconds: OPEN_MS / 1000 },
      },
      {
        breakerChanged: ({ provider, kind, state }: BreakerState) =>
          changes.push(`${provider} ${kind} ${state}`),
        askedFallback: (error) => asked.push(error),
        called: () => undefined,
      },
    );
    return { provider: provider!, breakers, changes, asked };
  }

  async function write(
    provider: AiProvider,
    prompt = 'Rivers',
    signal = new AbortController().signal,
  ): Promise<string> {
    let text = '';
    const messages = [{ role: 'user' as const, content: prompt }];
    for await (const piece of provider.streamChat({ messages }, signal)) text += piece;
    return text;
  }
  const paint = (provider: AiProvider, prompt = 'A fox') =>
    provider.generateImage({ prompt, size: '1024x1024' }, new AbortController().signal);
  const failureOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EngineError);
    return error as EngineError;
  };
  const stateOf = (breakers: readonly BreakerState[]) =>
    Object.fromEntries(breakers.map(({ provider, kind, state }) => [`${provider} ${kind}`, state]));

  it.each([
    ['faulty', '[[503]]', undefined],
    ['busy', '[[429]]', undefined],
    ['silent', '[[hang:headers]]', 3],
  ])('is not called for a while when it is %s, and then once', async (_, prompt, silenceSeconds) => {
    const server = await startFake();
    const { provider, breakers, changes } = await engineOf(server, undefined, silenceSeconds);
    const slow = (silenceSeconds ?? 0) * 900;
    for (let i = 0; i < 2; i += 1) {
      const asked = performance.now();
      expect(await failureOf(write(provider, prompt))).toMatchObject({ scope: 'service', retryable: true });
      expect(performance.now() - asked).toBeGreaterThanOrEqual(slow);
    }
    expect(stateOf(breakers)).toEqual({ 'main text': 'open', 'main image': 'closed' });

    const held = await failureOf(write(provider, prompt));
    expect(held).toMatchObject({ scope: 'held', retryable: true });
    expect(held.retryAfterMs).toBeGreaterThan(0);
    expect(held.retryAfterMs).toBeLessThanOrEqual(OPEN_MS);
    // Takes the fastest of three calls, because other work on the machine may delay a call.
    const times: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const asked = performance.now();
      expect(await failureOf(write(provider, prompt))).toMatchObject({ scope: 'held' });
      times.push(performance.now() - asked);
    }
    expect(Math.min(...times)).toBeLessThan(900);
    expect(server.requests).toHaveLength(2);
    // Images have a breaker of their own, so they still work.
    expect((await paint(provider)).length).toBeGreaterThan(100);

    passTime(held.retryAfterMs!);
    const probe = write(provider, prompt);
    await until('the probe to be there', () => server.requests.length === 4);
    if (slow) expect(await failureOf(write(provider, prompt))).toMatchObject({ scope: 'held' });
    expect(await failureOf(probe)).toMatchObject({ scope: 'held' });
    expect(await failureOf(write(provider, 'Rivers'))).toMatchObject({ scope: 'held' });
    passTime(OPEN_MS);
    expect(await write(provider, 'Rivers')).toContain('Rivers');
    expect(stateOf(breakers)).toMatchObject({ 'main text': 'closed' });
    expect(changes.slice(0, 3)).toEqual(['main text open', 'main text half-open', 'main text open']);
    expect(changes.slice(-2)).toEqual(['main text half-open', 'main text closed']);
  });

  it('is not called for its own Retry-After, if that is longer', async () => {
    const server = await startFake({ status: 429, headers: { 'retry-after': '90' } });
    const { provider } = await engineOf(server);
    for (let i = 0; i < 2; i += 1) await failureOf(write(provider));
    expect((await failureOf(write(provider))).retryAfterMs).toBeGreaterThan(OPEN_MS);
  });

  it('is called again even after the machine’s clock was set back', async () => {
    const server = await startFake();
    const { provider } = await engineOf(server);
    for (let i = 0; i < 2; i += 1) await failureOf(write(provider, '[[500]]'));
    passTime(-3_600_000);
    expect(await write(provider)).toMatch(/\w/);
  });

  it('is not suspended for refusals, nor for failures with answers in between', async () => {
    const server = await startFake();
    const { provider, breakers } = await engineOf(server);
    for (const prompt of ['[[400]]', '[[content_filter]]', '[[401]]', '[[empty]]', '[[unfinished]]']) {
      for (let i = 0; i < 3; i += 1) await failureOf(write(provider, prompt));
    }
    for (let i = 0; i < 3; i += 1) {
      await failureOf(write(provider, '[[500]]'));
      await write(provider);
    }
    expect(stateOf(breakers)).toEqual({ 'main text': 'closed', 'main image': 'closed' });
  });

  it('stays suspended when its probe is aborted', async () => {
    const server = await startFake();
    const { provider, breakers } = await engineOf(server);
    for (let i = 0; i < 2; i += 1) await failureOf(write(provider, '[[500]]'));
    passTime(OPEN_MS);
    const cancel = new AbortController();
    const probe = write(provider, '[[hang]]', cancel.signal);
    await until('the probe to be there', () => server.open === 1);
    cancel.abort(new Error('cancelled'));
    await expect(probe).rejects.toThrow('cancelled');
    expect(stateOf(breakers)).toMatchObject({ 'main text': 'open' });
    await until('the end of the connection', () => server.open === 0);
  });

  describe('and a fallback', () => {
    it.each<[string, Behaviour, number | undefined]>([
      ['fails', { status: 500 }, undefined],
      ['is busy', { status: 429 }, undefined],
      ['refuses our key', { status: 401 }, undefined],
      ['does not know the model', { status: 404, code: 'model_not_found' }, undefined],
      ['says nothing', { hang: 'first-token' }, 3],
    ])(
      'gets the whole answer from the fallback when the main provider %s',
      async (_, behaviour, silenceSeconds) => {
        const [main, other] = [await startFake(behaviour), await startFake()];
        const { provider, asked } = await engineOf(main, other, silenceSeconds);
        const text = await write(provider);
        expect(text.split(/\s+/).length).toBeGreaterThanOrEqual(20);
        expect(other.requests).toHaveLength(1);
        if (behaviour.status) expect((await paint(provider)).length).toBeGreaterThan(100);
        expect(asked.map(({ scope }) => scope)).not.toContain('request');
        expect(main.open).toBe(0);
      },
    );

    it('uses the fallback at once while the main provider is suspended, and the main provider afterwards', async () => {
      const [main, other] = [await startFake(), await startFake()];
      const { provider, breakers } = await engineOf(main, other);
      main.script({ status: 503 }, { status: 503 });
      for (let i = 0; i < 4; i += 1) await write(provider);
      expect([main.requests.length, other.requests.length]).toEqual([2, 4]);
      passTime(OPEN_MS);
      await write(provider);
      expect([main.requests.length, other.requests.length]).toEqual([3, 4]);
      expect(new Set(Object.values(stateOf(breakers)))).toEqual(new Set(['closed']));
      expect(breakers).toHaveLength(4);
    });

    it.each<[string, Behaviour]>([
      ['refuses the content', { status: 400, code: 'content_filter' }],
      ['breaks off after a part of the text', { cut: true }],
    ])('does not call the fallback when the main provider %s', async (_, behaviour) => {
      const [main, other] = [await startFake(behaviour), await startFake()];
      const { provider } = await engineOf(main, other);
      await failureOf(write(provider));
      expect(other.requests).toHaveLength(0);
    });

    it('does not call the fallback for an aborted call', async () => {
      const [main, other] = [await startFake({ hang: 'headers' }), await startFake()];
      const { provider } = await engineOf(main, other);
      const cancel = new AbortController();
      const writing = write(provider, 'Rivers', cancel.signal);
      await until('the call to be there', () => main.open === 1);
      cancel.abort(new Error('cancelled'));
      await expect(writing).rejects.toThrow('cancelled');
      expect(other.requests).toHaveLength(0);
    });

    it('reports the retryable one of two failures, and names the variables of the fallback', async () => {
      const refusing = await startFake({ status: 401 });
      const passing = await engineOf(await startFake({ status: 500 }), refusing);
      expect(await failureOf(write(passing.provider))).toMatchObject({ retryable: true, scope: 'service' });
      const final = await engineOf(await startFake({ status: 401 }), refusing);
      expect(await failureOf(write(final.provider))).toMatchObject({
        retryable: false,
        message: expect.stringContaining('AI_FALLBACK_API_KEY'),
      });
    });

    it('rejects a call when both are suspended, with the time to retry', async () => {
      const { provider } = await engineOf(await startFake({ status: 500 }), await startFake({ status: 500 }));
      for (let i = 0; i < 2; i += 1) await failureOf(write(provider));
      const held = await failureOf(write(provider));
      expect(held).toMatchObject({ scope: 'held', retryable: true });
      expect(held.retryAfterMs).toBeLessThanOrEqual(OPEN_MS);
    });
  });
});
