import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelId } from '#libs/contract/model-names.js';
import { closeTestModels, describeWithModels, MODELS_FOLDER, testModels } from '../../test/support/models.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { LocalModels } from './local-models.js';
import type { Tensor } from './runner/messages.js';

allowTimeForPrograms();

const { signal } = new AbortController();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pressroom-models-'));
});
afterEach(async () => {
  await closeTestModels();
  rmSync(folder, { recursive: true, force: true });
});

const gray = (): { 'input.1': Tensor } => ({
  'input.1': { type: 'float32', data: new Float32Array(3 * 320 * 320), dims: [1, 3, 320, 320] },
});

describe('missing models', () => {
  const neverAnswers = (_url: unknown, options?: RequestInit) =>
    new Promise<never>((_, reject) =>
      options?.signal?.addEventListener('abort', () => reject(new Error('Aborted.'))),
    );
  const unavailable = () => Promise.reject(new Error('No network.'));

  it('are unavailable after a failed fetch, which is not repeated at once', async () => {
    const clock = new TestClock();
    const logged: [ModelId, string | undefined][] = [];
    const models = new LocalModels({
      directory: folder,
      off: ['migan'],
      memoryMb: 700,
      clock,
      log: (id, error) => logged.push([id, error?.message]),
      sources: { fetch: unavailable, npm: unavailable },
    });
    const first = models.isAvailable('u2netp', signal);
    await until('the fetch has failed', async () => {
      await clock.advance(1_000);
      return logged.length > 0;
    });
    expect(await first).toBe(false);
    expect(logged[0]?.[1]).toMatch(/^U²-Net-p could not be fetched\. /);
    expect(await models.isAvailable('u2netp', signal)).toBe(false);
    expect(logged).toHaveLength(1);
    // Models that are switched off or fetched only on request are not tried.
    expect(await models.isAvailable('migan', signal)).toBe(false);
    expect(await models.isAvailable('u2net', signal)).toBe(false);
    expect(logged).toHaveLength(1);
    await models.close();
  });

  it('are waited for while they are fetched, for a limited time', async () => {
    const clock = new TestClock();
    const models = new LocalModels({
      directory: folder,
      off: [],
      memoryMb: 700,
      clock,
      sources: { fetch: neverAnswers, npm: async () => 'http://127.0.0.1:1' },
    });
    let ended: boolean | undefined;
    const progress: number[] = [];
    void models
      .isAvailable('u2netp', signal, ({ bytes }) => progress.push(bytes))
      .then((available) => (ended = available));
    await until('the wait ends', async () => {
      await clock.advance(1_000);
      return ended !== undefined;
    });
    expect([ended, progress]).toEqual([false, [0]]);
    await models.close();
  });
});

describeWithModels('existing models', () => {
  it('answer requests in order, in a process that ends when it is idle', async () => {
    const models = testModels();
    const [one, two] = await Promise.all([
      models.run('u2netp', gray(), signal),
      models.run('u2netp', gray(), signal),
    ]);
    expect(Object.values(one)[0]?.dims).toEqual([1, 1, 320, 320]);
    expect(Object.values(two)[0]?.data).toEqual(Object.values(one)[0]?.data);
    expect(models.pidOf('u2netp')).toBeGreaterThan(0);
    await models.close();
    expect(models.pidOf('u2netp')).toBeUndefined();
  });

  it('fail only the running request, with a retryable error, when the process is killed', async () => {
    const models = testModels();
    // On a busy machine, the first may end before the process is killed.
    const runs = Array.from({ length: 3 }, () => models.run('u2netp', gray(), signal));
    const pid = await until('the process runs', () => models.pidOf('u2netp'), { every: 5 });
    process.kill(pid, 'SIGKILL');
    const killed = (await Promise.allSettled(runs)).filter(({ status }) => status === 'rejected');
    expect(killed).toMatchObject([{ reason: { name: 'EngineError', retryable: true } }]);
  });

  it('end the process of an aborted request, and start another one for the next', async () => {
    const models = testModels();
    const controller = new AbortController();
    const aborted = models.run('u2netp', gray(), controller.signal);
    const waiting = models.run('u2netp', gray(), signal);
    const pid = await until('the process runs', () => models.pidOf('u2netp'), { every: 5 });
    controller.abort(new Error('Cancelled.'));
    await expect(aborted).rejects.toThrow('Cancelled.');
    await expect(waiting).resolves.toBeTruthy();
    expect(models.pidOf('u2netp')).not.toBe(pid);
  });

  it('end when idle and another model needs the memory', async () => {
    const models = new LocalModels({ directory: MODELS_FOLDER, off: [], memoryMb: 350 });
    await models.run('u2netp', gray(), signal);
    const picture = { data: new Uint8Array(64 * 64 * 3), width: 64, height: 64 };
    expect(await models.run('coco-ssd', picture, signal)).toEqual([]);
    expect(models.pidOf('u2netp')).toBeUndefined();
    await models.close();
  });

  it('are deleted when damaged, so that they are fetched again', async () => {
    cpSync(join(MODELS_FOLDER, 'u2netp'), join(folder, 'u2netp'), { recursive: true });
    writeFileSync(join(folder, 'u2netp/u2netp.onnx'), Buffer.alloc(4_574_861));
    const models = testModels(folder);
    expect(await models.isAvailable('u2netp', signal)).toBe(true);
    await expect(models.run('u2netp', gray(), signal)).rejects.toThrow(/damaged; it was deleted/);
    expect(existsSync(join(folder, 'u2netp'))).toBe(false);
  });
});
