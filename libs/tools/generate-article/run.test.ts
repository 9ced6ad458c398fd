import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EngineError, type AiProvider } from '#libs/ai/engine.js';
import { createOpenAiProvider } from '#libs/ai/openai/provider.js';
import { startProvider, type Provider } from '../../../test/provider/server.js';
import type { RunContext } from '../define-handler.js';
import { articleOutputSchema } from './contract.js';
import { articleHandler } from './run.js';

let standIn: Provider;
let provider: AiProvider;

beforeAll(async () => {
  standIn = await startProvider();
  provider = createOpenAiProvider({
    apiKey: 'any',
    baseUrl: standIn.url,
    textModel: 'stand-in',
    imageModel: 'none',
    firstTokenSeconds: 5,
    idleSeconds: 5,
    imageSeconds: 5,
  });
});
afterAll(() => standIn.close());

/** A context that keeps what a run tells it; `onText` is called for each piece. */
function record(onText: (text: string) => void = () => undefined) {
  const controller = new AbortController();
  const stages: string[] = [];
  const percents: number[] = [];
  let text = '';
  const told: Pick<RunContext, 'signal' | 'stage' | 'percent' | 'text'> = {
    signal: controller.signal,
    stage: (stage, message, percent) => {
      expect(message).not.toBe('');
      stages.push(stage);
      percents.push(percent);
    },
    percent: (percent) => void percents.push(percent),
    text: (piece) => {
      text += piece;
      onText(text);
    },
  };
  // An article uses no more of its context than this.
  const context = told as RunContext;
  return { context, controller, stages, percents, text: () => text };
}

const expectRising = (percents: number[]) => {
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(percents.every((percent) => Number.isInteger(percent) && percent >= 0 && percent < 100)).toBe(true);
};

describe('an article by a provider', () => {
  it('goes through its stages and comes out whole, as it was streamed', async () => {
    const run = record();
    const outcome = await articleHandler.withProvider(
      { prompt: 'Sea walls', length: 800 },
      provider,
      run.context,
    );
    expect(run.stages).toEqual(['briefing', 'writing', 'proofing']);
    expectRising(run.percents);
    expect(articleOutputSchema.parse(outcome.result)).toEqual(outcome.result);
    expect(outcome.result.engine).toBe('openai');
    expect(outcome.result.content).toBe(run.text());
    expect(outcome.result.content).toMatch(/^# Sea walls\n/);
    expect(outcome.creation).toEqual({
      type: 'article',
      prompt: 'Sea walls',
      content: outcome.result.content,
    });
  });

  it('measures progress by words written, and never passes proofing', async () => {
    const short = record();
    await articleHandler.withProvider({ prompt: 'Half [[words:400]]', length: 800 }, provider, short.context);
    expect(short.percents.at(-2)).toBeGreaterThan(45);
    expect(short.percents.at(-2)).toBeLessThan(55);
    const long = record();
    await articleHandler.withProvider(
      { prompt: 'Double [[words:1600]]', length: 800 },
      provider,
      long.context,
    );
    expect(long.percents.at(-2)).toBe(95);
    expect(long.percents.at(-1)).toBe(96);
  });

  it('is in its briefing until the first word comes', async () => {
    const run = record();
    const running = articleHandler.withProvider(
      { prompt: 'Later [[hang]]', length: 800 },
      provider,
      run.context,
    );
    await pause(150);
    expect(run.stages).toEqual(['briefing']);
    run.controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('is put in form when the model left a fence open', async () => {
    standIn.script({ text: '# Tea\n\n```sh\nboil' });
    const run = record();
    const { result } = await articleHandler.withProvider(
      { prompt: 'Tea', length: 800 },
      provider,
      run.context,
    );
    expect(result.content).toBe('# Tea\n\n```sh\nboil\n```');
  });

  it('cancelled in mid-writing, rejects with the reason and ends the provider’s request', async () => {
    const reason = new Error('cancelled');
    const run = record(() => run.controller.abort(reason));
    const running = articleHandler.withProvider(
      { prompt: 'Stop [[slow]]', length: 800 },
      provider,
      run.context,
    );
    await expect(running).rejects.toBe(reason);
    const request = standIn.requests.at(-1);
    await Promise.race([request?.over, pause(1000, undefined, { ref: false })]);
    expect(request?.abortedAt).not.toBeNull();
    expect(standIn.open).toBe(0);
  });

  it.each(['[[cut]]', '[[500]]', '[[empty]]', '[[unfinished]]'])(
    '%s is a failure, never half a text',
    async (marker) => {
      const run = record();
      const running = articleHandler.withProvider(
        { prompt: `Fail ${marker}`, length: 800 },
        provider,
        run.context,
      );
      await expect(running).rejects.toBeInstanceOf(EngineError);
      expect(run.stages).not.toContain('proofing');
    },
  );
});

describe('an article offline', () => {
  it('is an outline that says so, streamed piece by piece', async () => {
    const pieces: number[] = [];
    const run = record((text) => pieces.push(text.length));
    const outcome = await articleHandler.offline({ prompt: 'Sea walls', length: 1200 }, run.context);
    expect(run.stages).toEqual(['reading', 'outlining']);
    expectRising(run.percents);
    expect(pieces.length).toBe(10);
    expect(outcome.result.engine).toBe('offline');
    expect(outcome.result.content).toContain('made by the offline engine');
    expect(outcome.result.content).toBe(run.text());
    expect(outcome.creation).toEqual({
      type: 'article',
      prompt: 'Sea walls',
      content: outcome.result.content,
    });
  });

  it('can be cancelled between two sections', async () => {
    const reason = new Error('cancelled');
    const run = record((text) => text.includes('## 2.') && run.controller.abort(reason));
    await expect(articleHandler.offline({ prompt: 'Sea walls', length: 800 }, run.context)).rejects.toBe(
      reason,
    );
    expect(run.text()).not.toContain('## 3.');
  });

  it('lets a cancellation from outside in', async () => {
    const reason = new Error('cancelled');
    const run = record();
    const running = articleHandler.offline({ prompt: 'Sea walls', length: 1600 }, run.context);
    setImmediate(() => run.controller.abort(reason));
    await expect(running).rejects.toBe(reason);
  });
});
