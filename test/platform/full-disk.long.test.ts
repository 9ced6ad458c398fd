import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { form } from '../support/in-process-product.ts';
import { filesIn } from '../support/files-in.ts';
import { interlacedPng } from '../support/hostile-images.ts';
import { limitFiles } from '../support/limit-files.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

describe('a disk that is full', () => {
  let database: TestDatabase;
  let product: RunningProduct;
  let ada: User;

  beforeAll(async () => {
    database = await testDatabase();
    product = await RunningProduct.start({ databaseUrl: database.url });
    ada = await product.user({ plan: 'premium' });
  });
  afterAll(async () => {
    await product?.close();
    await database?.drop();
  });

  const sendResume = async (user: User) =>
    user.call('/api/ai/resume-review', {
      body: form({ resume: { bytes: await makePdf(resumePages), name: 'cv.pdf' } }),
    });
  const setPicture = (user: User) =>
    user.call('/api/user/picture', {
      method: 'PUT',
      body: form({ picture: { bytes: interlacedPng(64), name: 'me.png' } }),
    });
  const refused = (code: string) => ({
    status: 503,
    body: { success: false, code, message: expect.stringContaining('disk space') as unknown },
  });

  it('refuses uploads with a message while an api cannot write them, and still runs text tools', async () => {
    const api = product.apis[0]!;
    limitFiles(api.pid, 16);
    const answer = await sendResume(ada);
    expect(answer).toMatchObject(refused('DISK_FULL'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await setPicture(ada)).toMatchObject(refused('DISK_FULL'));
    expect((await ada.write('Rivers')).status).toBe(200);
    expect(filesIn(join(product.folder, 'uploads'))).toEqual([]);

    limitFiles(api.pid, 'unlimited');
    expect((await sendResume(ada)).status).toBe(200);
    expect((await setPicture(ada)).status).toBe(200);
  });

  it('lets a job wait while a worker cannot store its image, and finishes it afterwards', async () => {
    const worker = product.workers[0]!;
    limitFiles(worker.pid, 16);
    const { body } = await ada.call('/api/ai/generate-image', {
      json: { prompt: 'A fox' },
      headers: { Prefer: 'respond-async' },
    });
    await ada.jobWhen(body.job.id, 'storing', ({ progress }) => progress.stage === 'storing');
    expect((await ada.write('Rivers again')).status).toBe(200);
    limitFiles(worker.pid, 'unlimited');
    expect(await ada.ended(body.job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('is not filled by uploads: below a threshold of free space they are refused', async () => {
    await product.startApi({ MIN_FREE_DISK_MB: '1000000000' });
    const api = product.apis.at(-1)!;
    const bob = await product.user({ plan: 'premium' });
    const call: User['call'] = (path, options) => bob.call(path, { ...options, api });
    const objects = () => product.sql(`SELECT key FROM objects WHERE user_id = '${bob.id}'`);
    for (const [path, method, field] of [
      ['/api/ai/resume-review', 'POST', 'resume'],
      ['/api/user/picture', 'PUT', 'picture'],
    ] as const) {
      const body = form({ [field]: { bytes: interlacedPng(64), name: 'file' } });
      expect(await call(path, { method, body })).toMatchObject(refused('DISK_FULL'));
    }
    expect(await call('/api/ai/generate-image', { json: { prompt: 'A fox' } })).toMatchObject(
      refused('DISK_FULL'),
    );
    expect(await objects()).toEqual([]);

    expect((await bob.write('Rivers', { api })).status).toBe(200);
    expect((await call('/api/user/get-user-creations')).body.creations).toHaveLength(1);
    expect((await call('/health/ready')).status).toBe(200);
    const signUp = await product.call('/api/auth/sign-up/email', {
      json: { email: 'eve@example.com', password: 'correct horse battery', name: 'Eve' },
      api,
    });
    expect(signUp.status).toBe(200);
  });
});
