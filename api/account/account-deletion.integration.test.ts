import { afterEach, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { io } from 'socket.io-client';
import {
  form,
  json,
  PASSWORD,
  type SignedInUser,
  useInProcessProduct,
} from '../../test/support/in-process-product.ts';
import { closeGate, gate } from '../../test/support/probe-tools.ts';
import { until } from '../../test/support/until.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ WORKER_CONCURRENCY: '2', PLAN_SWITCH: 'self' });

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 'x')]);
const submit = async (client: SignedInUser) =>
  (
    await json(
      await client.call('/api/ai/probe-pdf', {
        body: form({ note: 'private words', resume: { bytes: pdf, name: 'private name.pdf' } }),
        headers: { Prefer: 'respond-async' },
      }),
    )
  ).job;
const leave = (client: SignedInUser, json: object = { password: PASSWORD }) =>
  client.call('/api/user/account', { method: 'DELETE', json });

/** Stream of the queue's events, which contains job ids and is trimmed automatically. */
const QUEUE_LOG = 'bullmq.event';

/** All tables with a row that contains one of these texts. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const tables = await product.sql(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await product.sql(
        `SELECT count(*)::int AS count FROM ${name} t WHERE EXISTS (SELECT FROM unnest($1::text[]) AS x WHERE position(x IN t::text) > 0)`,
        [texts],
      );
      return row?.count ? [name] : [];
    }),
  );
  return found.flat();
}

describe('removing an account', () => {
  // Open the gate after a failed test too, so that jobs which it blocked don't fail later tests.
  afterEach(() => {
    gate.open();
    jest.restoreAllMocks();
  });

  it('leaves nothing: no row in any table, no object, no job, no open socket, no valid token', async () => {
    const ada = await product.signUp('Ada Private');
    const bob = await product.signUp('Bob');
    const kept = await json(await bob.call('/api/ai/probe-image', { json: { object: 'a fox' } }));

    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const image = await json(
      await ada.call('/api/ai/probe-image', { json: { object: 'private words', publish: true } }),
    );
    const edited = await ada.call(`/api/user/creations/${image.creationId}/versions`, {
      body: form({
        label: 'private words',
        base: image.creationId,
        image: { bytes: picture, name: 'a.png' },
      }),
    });
    expect(edited.status).toBe(200);
    await ada.call('/api/ai/generate-article', { json: { prompt: 'private words', length: 800 } });
    closeGate();
    const aborted = gate.aborted;
    const jobs = [await submit(ada), await submit(ada), await submit(ada), await submit(ada)];
    await until('two jobs run and two wait', () => gate.waiting === 2);
    const held = ada.call('/api/ai/probe-pdf', {
      body: form({ note: 'held', resume: { bytes: pdf, name: 'a.pdf' } }),
    });
    const socket = io(product.origin, {
      auth: { token: ada.token },
      reconnection: false,
      transports: ['websocket'],
    });
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    await until('the held request became a job', async () => (await tablesWith('held')).length > 0);
    expect(await tablesWith(ada.id)).toEqual(
      expect.arrayContaining([
        'public.users',
        'public.jobs',
        'public.objects',
        'public.creations',
        'public.auth_users',
      ]),
    );

    const disconnected = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
    const answer = await leave(ada);
    expect(answer.status).toBe(200);
    expect((await json(answer)).success).toBe(true);

    await disconnected;
    await until(
      'running jobs were aborted',
      () => product.runner.running === 0 && gate.aborted >= aborted + 2,
    );
    expect((await held).status).toBe(404);
    gate.open();
    expect(await tablesWith(ada.id, ada.email, 'Ada Private', 'private words', 'private name')).toEqual([]);
    // The worker removes the queue entries of running jobs only when it ends these jobs.
    await until('the queue to forget the jobs', async () =>
      (await tablesWith(...jobs.map(({ id }) => id))).every((name) => name === QUEUE_LOG),
    );
    const left = await product.sql(`SELECT key FROM objects ORDER BY key`);
    expect(product.stored().sort()).toEqual(left.map(({ key }) => key).sort());
    expect(left).toHaveLength(2);

    for (const path of ['/api/user/account', '/api/jobs', '/api/user/get-user-creations']) {
      const refused = await ada.call(path);
      expect(refused.status).toBe(401);
      expect((await json(refused)).code).toBe('UNAUTHENTICATED');
    }
    expect((await leave(ada)).status).toBe(401);
    expect((await fetch(image.content)).status).toBe(404);
    expect((await fetch(`${product.origin}/c/${image.creationId}`)).status).toBe(404);
    const again = await fetch(`${product.origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: product.origin },
      body: JSON.stringify({ email: ada.email, password: PASSWORD }),
    });
    expect(again.status).toBe(401);
    expect((await fetch(kept.content)).status).toBe(200);
    expect((await bob.call('/api/user/account')).status).toBe(200);
  });

  it('requires the password, and slows down guesses', async () => {
    const eve = await product.signUp('Eve');
    // Stop the clock: on a busy machine a guess takes more than a second, which would shorten the expected wait.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const without = await leave(eve, {});
    expect(without.status).toBe(400);
    expect(await json(without)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'password', message: 'Enter your password to continue.' }],
    });
    for (let i = 0; i < 5; i += 1) {
      const wrong = await leave(eve, { password: `guess ${i}` });
      expect([wrong.status, (await json(wrong)).message]).toEqual([400, 'The password is wrong.']);
    }
    const slowed = await leave(eve);
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await eve.call('/api/user/account')).status).toBe(200);
  });

  it('refuses a change of the plan before this process knows of the deletion, and restores nothing', async () => {
    const eve = await product.signUp('Eve');
    expect((await eve.call('/api/user/account')).status).toBe(200);
    for (const table of ['auth_users', 'users'])
      await product.sql(`DELETE FROM ${table} WHERE id = $1`, [eve.id]);
    const answer = await eve.call('/api/user/plan', { json: { plan: 'premium' } });
    expect([answer.status, await json(answer)]).toEqual([
      401,
      expect.objectContaining({
        code: 'UNAUTHENTICATED',
        message: 'This account no longer exists. Sign in again.',
      }),
    ]);
    expect(await tablesWith(eve.id)).toEqual([]);
  });

  it('makes the objects inaccessible even if the store is unavailable, and a later pass deletes them', async () => {
    const eve = await product.signUp('Eve');
    const image = await json(await eve.call('/api/ai/probe-image', { json: { object: 'a fox' } }));
    const remove = product.store.remove.bind(product.store);
    product.store.remove = () => Promise.reject(new Error('the store is unavailable'));
    expect((await leave(eve)).status).toBe(200);
    expect(await tablesWith(eve.id, eve.email)).toEqual([]);
    expect((await fetch(image.content)).status).toBe(404);

    product.store.remove = remove;
    const key = new URL(image.content).pathname.split('/').at(-1);
    expect(product.stored()).toContain(key);
    expect(await product.files.sweep()).toBe(2);
    expect(product.stored()).not.toContain(key);
  });

  it('makes the objects inaccessible with the rows, even if the process ends before their bytes are deleted', async () => {
    const iris = await product.signUp('Iris');
    const image = await json(await iris.call('/api/ai/probe-image', { json: { object: 'a fox' } }));
    expect((await fetch(image.content)).status).toBe(200);
    const { files } = product;
    const sweep = files.sweep.bind(files);
    files.sweep = () => Promise.reject(new Error('the process ended'));
    expect((await leave(iris)).status).toBe(200);
    expect((await fetch(image.content)).status).toBe(404);
    files.sweep = sweep;
    expect(await files.sweep()).toBe(2);
  });

  it('leaves no object that was being stored', async () => {
    const mallory = await product.signUp('Mallory');
    const before = product.stored().length;
    const { store } = product;
    const put = store.put.bind(store);
    let letGo: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (letGo = resolve));
    store.put = async (...object) => {
      await stopped;
      return put(...object);
    };
    const keeping = product.files.add({
      userId: mallory.id,
      kind: 'image',
      type: 'image/png',
      name: '',
      content: pdf,
    });
    await until('its row is there', async () => (await tablesWith(mallory.id)).includes('public.objects'));
    await leave(mallory);
    letGo();
    await expect(keeping).rejects.toThrow('no longer exists');
    store.put = put;
    expect(product.stored()).toHaveLength(before);
  });
});
