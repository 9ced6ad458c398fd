import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IsNull, Not } from 'typeorm';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { PreviewEntity } from '#libs/database/entities/previews.js';
import { WorkerSlotsEntity } from '#libs/database/entities/jobs.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { rows } from '../../test/support/sql.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { until } from '../../test/support/until.ts';
import { PreviewWorker, type MakePreview } from './preview-worker.js';
import { Previews } from './previews.js';

describe('Previews', () => {
  let platform: JobPlatform;
  let previews: Previews;
  let clock: TestClock;
  let worker: PreviewWorker;
  /** How the worker creates a preview. Each test sets it. */
  let make: MakePreview;
  const upload = { type: 'image/png', name: 'a.png', content: Buffer.from('picture') };
  const never = new AbortController().signal;

  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    const { dataSource, live, files, errors } = platform;
    const onError = (error: Error) => void errors.push(error);
    clock = new TestClock();
    previews = new Previews(dataSource, live, files, onError, clock);
    make = async (input, bytes) => ({ input, bytes: bytes.toString() });
    worker = new PreviewWorker(dataSource, live, files, (...given) => make(...given), onError, clock);
    await dataSource.getRepository(WorkerSlotsEntity).save({ workerId: 'w', queue: 'image', slots: 1 });
    await rows(dataSource, `UPDATE worker_slots SET seen_at = now() + interval '1 hour'`);
  });
  afterEach(async () => {
    await worker.close();
    platform.live.dropsEvents = false;
    expect(await leftBehind()).toEqual([]);
  });

  const leftBehind = () =>
    rows(platform.dataSource, `SELECT id::text FROM previews UNION ALL SELECT key FROM objects`);
  const waiting = () =>
    until('the preview waits', async () =>
      platform.dataSource.getRepository(PreviewEntity).findOneBy({ fileKey: Not(IsNull()) }),
    );

  it('are made by a worker from the upload, and not stored', async () => {
    worker.start();
    const result = await previews.make(await platform.user(), { object: 'cup' }, upload, never);
    expect(result).toEqual({ input: { object: 'cup' }, bytes: 'picture' });
  });

  it('are made even if events are lost', async () => {
    platform.live.dropsEvents = true;
    worker.start();
    let answer: object | undefined;
    void previews.make(await platform.user(), {}, upload, never).then((given) => (answer = given));
    await until('it is answered', async () => {
      await clock.advance(250);
      return answer;
    });
  });

  it('are refused with the worker’s message', async () => {
    worker.start();
    make = () => Promise.reject(new AppError('ENGINE_CANNOT', 'No “cup” was found.'));
    const answer = previews.make(await platform.user(), {}, upload, never);
    await expect(answer).rejects.toMatchObject({ code: 'ENGINE_CANNOT', message: 'No “cup” was found.' });
    make = () => Promise.reject(new EngineError('A model stopped.', { retryable: true, scope: 'server' }));
    const second = previews.make(await platform.user(), {}, upload, never);
    await expect(second).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('run one at a time per user, with any number of apis', async () => {
    const userId = await platform.user();
    const controller = new AbortController();
    const first = previews.make(userId, {}, upload, controller.signal);
    const given = expect(first).rejects.toThrow('aborted');
    await waiting();
    await expect(previews.make(userId, {}, upload, never)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    controller.abort(new Error('aborted'));
    await given;
    worker.start();
    await expect(previews.make(userId, {}, upload, never)).resolves.toBeDefined();
  });

  it('end with the request: the worker stops', async () => {
    worker.start();
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    make = (_input, _bytes, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          resolve();
          reject(signal.reason as Error);
        });
        onStart();
      });
    const controller = new AbortController();
    const answer = previews.make(await platform.user(), {}, upload, controller.signal);
    const given = expect(answer).rejects.toThrow('aborted');
    await started;
    controller.abort(new Error('aborted'));
    await given;
    await stopped;
  });

  it('are refused without a worker, or if none answers in time', async () => {
    const userId = await platform.user();
    await rows(platform.dataSource, `UPDATE worker_slots SET seen_at = now() - interval '1 minute'`);
    await expect(previews.make(userId, {}, upload, never)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await rows(platform.dataSource, `UPDATE worker_slots SET seen_at = now() + interval '1 hour'`);
    let refusal: Error | undefined;
    const answer = previews.make(userId, {}, upload, never).catch((error: Error) => (refusal = error));
    await waiting();
    await until('it gives up', async () => {
      await clock.advance(60_000);
      return refusal;
    });
    expect(await answer).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('too long') });
  });

  it('can be requested again after an api was killed', async () => {
    const userId = await platform.user();
    await platform.dataSource
      .getRepository(PreviewEntity)
      .insert({ id: '00000000-0000-4000-8000-000000000000', userId, input: {} });
    await rows(platform.dataSource, `UPDATE previews SET created_at = now() - interval '2 minutes'`);
    worker.start();
    await expect(previews.make(userId, {}, upload, never)).resolves.toBeDefined();
  });
});
