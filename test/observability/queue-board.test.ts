import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RunningProduct, type User } from '../platform/running-product.ts';
import { describeOnBothBackends } from '../support/backends.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

describeOnBothBackends('The queue board', (backend) => {
  let product: RunningProduct;
  let ada: User;
  let board: string;
  beforeAll(async () => {
    const { database, redis } = backend();
    product = await RunningProduct.start({ databaseUrl: database.url, redisUrl: redis?.url }, { workers: 0 });
    ada = await product.user();
    await product.sql(`UPDATE users SET role = 'admin' WHERE id = '${ada.id}'`);
    board = `${product.apis[0]!.address}/admin/queues`;
  });
  afterAll(() => product?.close());

  const openAs = (user: User) => user.call('/api/admin/session', { method: 'POST' });
  const look = (path: string, cookie: string, method = 'GET') =>
    fetch(`${board}${path}`, { method, headers: { cookie }, redirect: 'manual' });

  it('lets an operator’s browser in by a cookie that no script and no other site can use', async () => {
    expect((await ada.account()).role).toBe('admin');
    const answer = await openAs(ada);
    expect(answer).toMatchObject({ status: 200, body: { url: '/admin/queues' } });
    const set = answer.headers.get('set-cookie') ?? '';
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=1800'])
      expect(set).toContain(attribute);
    const cookie = set.split(';')[0]!;

    const page = await look('', cookie);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    const html = await page.text();
    expect(html).not.toMatch(/(href|src)="(https?:)?\/\//);
    const script = /src="(static\/[^"]+\.js)"/.exec(html)?.[1];
    expect((await look(`/${script}`, cookie)).status).toBe(200);

    const job = await ada.start('Somebody’s own words');
    const board = await look('/api/queues?activeQueue=text&status=prioritized&page=1', cookie);
    expect(board.status).toBe(200);
    const text = await board.text();
    const { queues } = JSON.parse(text) as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(queues.map(({ name }) => name).sort()).toEqual(['image', 'pdf', 'text']);
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    expect(text).toContain(job.id);
    expect(text).not.toContain('own words');
  });

  it('has a cookie for https alone where the address is https', async () => {
    const api = await product.startApi({ PUBLIC_URL: 'https://pressroom.example' });
    const token = await product.tokenFor(ada.id, { seconds: 60, issuer: 'https://pressroom.example' });
    const opened = await product.call('/api/admin/session', { method: 'POST', token, api });
    const set = opened.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^__Host-pressroom_board=.*; Path=\/;.*; Secure/);
    const headers = { cookie: set.split(';')[0]! };
    expect((await fetch(`${api.address}/admin/queues`, { headers })).status).toBe(200);
  });

  it('changes nothing', async () => {
    const cookie = (await openAs(ada)).headers.get('set-cookie')!.split(';')[0]!;
    for (const [method, path] of [
      ['PUT', '/api/queues/text/pause'],
      ['PUT', '/api/queues/text/empty'],
      ['POST', '/api/queues/text/add'],
      ['DELETE', '/api/queues/text'],
    ] as const)
      expect((await look(path, cookie, method)).status).toBe(405);
  });

  it('is closed to everybody else, in the same words', async () => {
    const ben = await product.user();
    expect(await openAs(ben)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await product.call('/api/admin/session', { method: 'POST' })).status).toBe(401);
    const pages = await Promise.all(
      ['', 'pressroom_board=', 'pressroom_board=made-up', 'pressroom_board[]=1'].map((cookie) =>
        look('', cookie),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(new Set(await Promise.all(pages.map((page) => page.text()))).size).toBe(1);
    for (const path of ['/api/queues', '/queue/text', '/static/js/main.js'])
      expect((await look(path, '')).status).toBe(403);
    const bearer = await fetch(board, { headers: { authorization: `Bearer ${ada.token}` } });
    expect(bearer.status).toBe(403);
  });

  it('is closed to an operator who is one no more, and to one who closed it', async () => {
    const cookie = async () => (await openAs(ada)).headers.get('set-cookie')!.split(';')[0]!;
    const first = await cookie();
    await ada.call('/api/admin/session', { method: 'DELETE' });
    expect((await look('', first)).status).toBe(403);
    const second = await cookie();
    expect((await look('', second)).status).toBe(200);
    await product.sql(`UPDATE admin_sessions SET expires_at = now() - interval '1 second'`);
    expect((await look('', second)).status).toBe(403);
    const third = await cookie();
    await product.sql(`UPDATE users SET role = 'person' WHERE id = '${ada.id}'`);
    expect((await look('', third)).status).toBe(403);
  });
});
