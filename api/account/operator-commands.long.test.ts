import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import {
  form,
  json,
  PASSWORD,
  type SignedInUser,
  useInProcessProduct,
} from '../../test/support/in-process-product.ts';
import { filesIn } from '../../test/support/files-in.ts';
import { gate, closeGate } from '../../test/support/probe-tools.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { unzip } from '../../test/support/unzip.ts';

allowTimeForPrograms();

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 'x')]);
const product = useInProcessProduct({ WORKER_CONCURRENCY: '1' });
afterEach(() => gate.open());

/** Runs a command on the product's database and files, as Anna. */
const run = (...words: string[]) => runWith(undefined, ...words);
async function runWith(output: NodeJS.WritableStream | undefined, ...words: string[]) {
  const { config } = product;
  const environment = { DATABASE_URL: config.databaseUrl, DATA_DIR: config.dataDir };
  return runCommand(['--as', 'anna', ...words], environment, output);
}
async function answerOf<T>(...words: string[]): Promise<T> {
  const { status, out, errors } = await run(...words, '--json');
  if (status !== 0) throw new Error(errors);
  return JSON.parse(out) as T;
}
const actsOf = async (target: string) =>
  (
    await answerOf<{ operator: string; action: string; reason: string | null }[]>('audit', '--target', target)
  ).map(({ operator, action, reason }) => [operator, action, reason]);
const signIn = (email: string) =>
  fetch(`${product.origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.origin },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
const makeTitles = (user: SignedInUser) =>
  user.call('/api/ai/generate-blog-title', { json: { prompt: 'Private harbour', category: 'Food' } });

describe('a suspended user', () => {
  it('is out by session, key and socket, and comes back', async () => {
    const ada = await product.signUp('Ada');
    const { secret } = (await json(
      await ada.call('/api/keys', { json: { name: 'script', scopes: ['read'] } }),
    )) as unknown as { secret: string };
    const byKey = () =>
      fetch(`${product.origin}/api/jobs`, { headers: { Authorization: `Bearer ${secret}` } });
    expect((await byKey()).status).toBe(200);
    const socket: Socket = io(product.origin, {
      transports: ['websocket'],
      auth: { token: ada.token },
      reconnection: false,
    });
    await until('the socket', () => socket.connected);

    // Two seconds later, the answer would be 401: the session has ended.
    const refusal = until('the token to be refused', async () => {
      const answer = await ada.call('/api/user/account');
      return answer.status !== 200 && answer;
    });
    const done = await answerOf('users', 'suspend', ada.email, '--reason', 'Spam in the community');
    expect(done).toMatchObject({ id: ada.id, changed: true, endedSessions: 1 });
    const again = await answerOf('users', 'suspend', ada.email, '--reason', 'Another reason');
    expect(again).toMatchObject({ changed: false });
    await until('the socket to be closed', () => !socket.connected);
    expect(await json(await refusal)).toMatchObject({
      code: 'ACCOUNT_SUSPENDED',
      message: expect.stringContaining('suspended: Spam in the community.'),
    });
    expect((await byKey()).status).toBe(401);
    const signedIn = await signIn(ada.email);
    expect([signedIn.status, (await json(signedIn)).message]).toEqual([
      403,
      expect.stringContaining('Spam in the community'),
    ]);

    await answerOf('users', 'unsuspend', ada.id);
    expect((await signIn(ada.email)).status).toBe(200);
    expect((await byKey()).status).toBe(200);
    expect(await actsOf(ada.id)).toEqual([
      ['anna', 'user.unsuspend', null],
      ['anna', 'user.suspend', 'Another reason'],
      ['anna', 'user.suspend', 'Spam in the community'],
    ]);
  });

  it('loses the waiting jobs, whose credits come back', async () => {
    closeGate();
    const ada = await product.signUp('Ada');
    const jobs = await Promise.all(
      Array.from({ length: 4 }, async (_, n) =>
        json(
          await ada.call('/api/ai/probe-pdf', {
            body: form({ note: `${n}`, resume: { bytes: pdf, name: 'cv.pdf' } }),
            headers: { Prefer: 'respond-async' },
          }),
        ),
      ),
    );
    expect(jobs.every(({ job }) => job)).toBe(true);
    const left = async () => {
      const { credits } = await answerOf<{ credits: { remaining: number } }>('credits', ada.id);
      return credits.remaining;
    };
    const before = await left();
    const { cancelled } = await answerOf<{ cancelled: number }>('queues', 'drain', '--user', ada.id, '--yes');
    expect(cancelled).toBeGreaterThanOrEqual(3);
    expect(await left()).toBe(before + cancelled);
    const [ledger] = await product.sql(
      `SELECT sum(amount)::integer AS count FROM credit_entries WHERE user_id = $1`,
      [ada.id],
    );
    expect(ledger?.count).toBe(before + cancelled);
    expect((await actsOf(ada.id)).map(([, action]) => action)).toEqual(['queue.drain']);
  });
});

describe('a creation taken down', () => {
  it('is no longer public, and cannot be published again until it is restored', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const { creationId: id } = await json(
      await ada.call('/api/ai/generate-image', { json: { prompt: 'a lamp in the fog', publish: true } }),
    );
    const page = () => fetch(`${product.origin}/c/${id}`);
    expect((await page()).status).toBe(200);
    const publish = () => ada.call(`/api/user/creations/${id}/publish`, { json: { publish: true } });
    await answerOf('creations', 'takedown', id, '--reason', 'It shows a person');
    expect((await page()).status).toBe(404);
    const refused = await publish();
    expect([refused.status, (await json(refused)).message]).toEqual([
      403,
      expect.stringContaining('It shows a person. It cannot be published'),
    ]);
    await answerOf('creations', 'restore', id);
    expect((await publish()).status).toBe(200);
    expect((await actsOf(id)).map(([, action]) => action)).toEqual(['creation.restore', 'creation.takedown']);
    expect((await run('creations', 'takedown', ada.id)).errors).toContain('There is no creation');
  });
});

describe('the data of a user', () => {
  it('is exported without secrets, and deleted with a receipt that counts the same rows', async () => {
    const ada = await product.signUp('Ada Private', 'premium');
    await makeTitles(ada);
    await ada.call('/api/ai/generate-image', { json: { prompt: 'a lamp in the fog' } });
    const file = join(tmpdir(), `export-${ada.id}.zip`);
    const exported = await answerOf<{ rows: Record<string, number> }>('users', 'export', ada.email, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const zip = unzip(readFileSync(file));
    for (const [path, message] of [
      [file, `${file} exists already.`],
      [join(file, 'deeper.zip'), `${file} is no folder.`],
      [join(tmpdir(), 'no-such-folder', 'a.zip'), `There is no folder ${join(tmpdir(), 'no-such-folder')}.`],
    ] as const) {
      const refused = await run('users', 'export', ada.email, path);
      expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining(message) });
      expect(refused.errors.split('\n')).toHaveLength(2);
    }
    rmSync(file);
    const output = new PassThrough();
    const [bytes, piped] = await Promise.all([
      output.toArray() as Promise<Buffer[]>,
      runWith(output, 'users', 'export', ada.email, '-').finally(() => output.end()),
    ]);
    expect(piped).toMatchObject({ status: 0, out: '', errors: 'Wrote the ZIP.\n' });
    expect([...unzip(Buffer.concat(bytes)).keys()]).toEqual([...zip.keys()]);
    const broken = new PassThrough();
    broken.once('data', () =>
      broken.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE', syscall: 'write' })),
    );
    expect((await runWith(broken, 'users', 'export', ada.email, '-')).errors).toContain('has ended');
    const entries = await answerOf<{ action: string; details: object }[]>('audit', '--target', ada.id);
    expect(entries.slice(0, 2).map(({ details }) => details)).toEqual([{ refused: 'VALIDATION_FAILED' }, {}]);
    const names = [...zip.keys()];
    for (const table of Object.keys(exported.rows)) expect(names).toContain(`data/${table}.jsonl`);
    expect(names.some((name) => name.startsWith('files/'))).toBe(true);
    const text = names.map((name) => (name.startsWith('data/') ? zip.get(name)!.toString() : '')).join('');
    expect(text).toContain('Private harbour');
    expect(text).not.toMatch(/"(password|hash|token|secret|zip_key)"/);
    expect(text).toContain('"request_hash"');

    const unconfirmed = await run('users', 'delete', ada.email);
    expect([unconfirmed.status, unconfirmed.errors]).toEqual([
      1,
      expect.stringContaining('Confirm it with --yes'),
    ]);
    const receipt = await answerOf<{ rows: Record<string, number>; files: { count: number }; left: object }>(
      ...['users', 'delete', ada.email, '--yes', '--reason', 'asked for it'],
    );
    expect(receipt).toMatchObject({ left: {}, rows: { users: 1, auth_users: 1, creations: 2 } });
    expect(receipt.files.count).toBe(2);
    expect(await actsOf(ada.id)).toEqual([
      ['anna', 'user.files-deleted', 'asked for it'],
      ['anna', 'user.delete', 'asked for it'],
      ...Array<unknown>(4).fill(['anna', 'user.export', null]),
    ]);
    expect((await ada.call('/api/user/account')).status).toBe(401);
    expect((await run('users', 'show', ada.email)).errors).toContain('There is no user');
  });

  it('is exported but for files that are gone; an export that cannot read a file is refused in the log', async () => {
    const ada = await product.signUp('Ada Broken', 'premium');
    await ada.call('/api/ai/generate-image', { json: { prompt: 'a lamp in the fog' } });
    const [file] = await product.sql(`SELECT key FROM objects WHERE user_id = $1 AND kind = 'image'`, [
      ada.id,
    ]);
    const stored = filesIn(product.config.dataDir).find((path) => path.endsWith(file!.key))!;
    rmSync(stored);
    const target = join(tmpdir(), `export-${ada.id}.zip`);
    await answerOf('users', 'export', ada.email, target);
    const zip = unzip(readFileSync(target));
    expect(zip.get('missing-files.txt')!.toString()).toContain(file!.key);
    expect([...zip.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(1);
    rmSync(target);
    mkdirSync(stored);
    expect((await run('users', 'export', ada.email, target)).status).toBe(1);
    expect(existsSync(target)).toBe(false);
    const entries = await answerOf<{ details: object }[]>('audit', '--target', ada.id);
    expect(entries.map(({ details }) => details)).toEqual([{ refused: 'INTERNAL' }, {}, {}]);
  });

  it('is downloaded by its user alone, once at a time, by a link that ends', async () => {
    const ada = await product.signUp('Ada Exporting');
    await makeTitles(ada);
    const link = async () =>
      ((await (await ada.call('/api/user/export', { method: 'POST' })).json()) as { url: string }).url;
    const first = await link();
    const answer = await fetch(first);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const zip = unzip(Buffer.from(await answer.arrayBuffer()));
    expect(zip.get('data/creations.jsonl')!.toString()).toContain('Private harbour');
    expect(JSON.parse(zip.get('data/users.jsonl')!.toString())).toMatchObject({ id: ada.id });
    const second = await link();
    expect((await fetch(first)).status).toBe(404);
    await product.sql(`UPDATE creation_zips SET created_at = now() - interval '2 hours' WHERE user_id = $1`, [
      ada.id,
    ]);
    expect((await fetch(second)).status).toBe(404);
    expect((await fetch(`${product.origin}/api/user/export`, { method: 'POST' })).status).toBe(401);
  });

  it('is listed and shown', async () => {
    const ada = await product.signUp('Ada Findable');
    await makeTitles(ada);
    const listed = await answerOf<{ id: string; creations: number }[]>(
      'users',
      'list',
      '--search',
      'findable',
    );
    expect(listed).toMatchObject([{ id: ada.id, creations: 1 }]);
    expect(await answerOf('users', 'show', ada.id)).toMatchObject({
      plan: 'free',
      jobs: { succeeded: 1 },
      sessions: [{ method: null }],
      keys: [],
    });
    const [job] = await answerOf<{ id: string }[]>('jobs', 'list', '--user', ada.id);
    expect(await answerOf('jobs', 'show', job!.id)).toMatchObject({
      ledger: [{ kind: 'charge', amount: -1 }],
    });
    const between = ['--between', '2020-01-01T00:00', '2020-01-02T00:00'];
    expect(await answerOf('jobs', 'list', ...between)).toEqual([]);
  });
});

it('signs all users out at once, after a confirmation', async () => {
  const users = [await product.signUp('Ada'), await product.signUp('Ben')];
  expect((await run('sign-out', '--all')).errors).toContain('Confirm it with --yes');
  const { endedSessions } = await answerOf<{ endedSessions: number }>('sign-out', '--all', '--yes');
  expect(endedSessions).toBeGreaterThanOrEqual(2);
  for (const user of users)
    await until('the token to be refused', async () => (await user.call('/api/user/account')).status === 401);
  expect((await run('sign-out')).errors).toContain('Name a user, or use --all');
});

it('keeps the audit log from being changed', async () => {
  await expect(product.sql(`DELETE FROM audit_log`)).rejects.toThrow('only added to');
  await expect(product.sql(`UPDATE audit_log SET operator = 'bob'`)).rejects.toThrow('only added to');
});
