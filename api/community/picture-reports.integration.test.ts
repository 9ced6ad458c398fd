import { beforeAll, describe, expect, it } from '@jest/globals';
import { CreationEvents } from '#libs/creations/creation-events.js';
import { PictureReports } from '#libs/creations/picture-reports.service.js';
import { readUserRows, readUserTables } from '#libs/operators/user-data.js';
import type { PublishedCreation } from '#libs/contract/sharing.js';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ REPORTS_TO_HIDE: '2' });
let ada: SignedInUser;
let bob: SignedInUser;
let eve: SignedInUser;
let newcomer: SignedInUser;

beforeAll(async () => {
  [ada, bob, eve, newcomer] = (await Promise.all(
    ['Ada', 'Bob', 'Eve', 'Newcomer'].map((name) => product.signUp(name, 'premium')),
  )) as [SignedInUser, SignedInUser, SignedInUser, SignedInUser];
});

/** A user who has reported nothing. */
const reporter = () => product.signUp('Reporter');

const draw = async (object = 'a fox') =>
  (await json(await ada.call('/api/ai/probe-image', { json: { object, publish: true } }))).creationId;
const report = (user: SignedInUser, id: string, fields: object = { reason: 'violence' }) =>
  user.call(`/api/community/creations/${id}/report`, { json: fields });
const openReports = (id: string) =>
  product.sql(
    `SELECT reason, user_id AS "userId" FROM creation_reports WHERE creation_id = $1 AND closed_at IS NULL`,
    [id],
  );
const publish = (id: string, value: boolean) =>
  ada.call(`/api/user/creations/${id}/publish`, { json: { publish: value } });
const appeal = (user: SignedInUser, id: string, text = 'It is a drawing.') =>
  user.call(`/api/user/creations/${id}/appeal`, { json: { text } });
const isPublic = async (id: string) => (await fetch(`${product.origin}/c/${id}/image`)).status === 200;
const isInFeed = async (user: SignedInUser, id: string) =>
  (
    (await (await user.call('/api/user/get-published-creations')).json()) as {
      creations: PublishedCreation[];
    }
  ).creations.some((creation) => creation.id === id);
const refusal = async (answer: Response) => {
  const { code, message } = await json(answer);
  return { status: answer.status, code, message };
};
async function run<T = object>(...words: string[]): Promise<T> {
  const { config } = product;
  const { status, out, errors } = await runCommand(['--as', 'anna', 'creations', ...words, '--json'], {
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    PUBLIC_URL: config.publicUrl,
  });
  if (status !== 0) throw new Error(errors);
  return JSON.parse(out) as T;
}

describe('a report', () => {
  it('hides the picture from its reporter at once, and from everyone at the set number', async () => {
    const id = await draw();
    const answer = await report(bob, id, { reason: 'hate', words: 'Look at the sign' });
    expect([answer.status, (await json(answer)).message]).toEqual([200, expect.stringMatching(/^Thank you/)]);
    expect([await isInFeed(bob, id), await isInFeed(eve, id), await isPublic(id)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await report(bob, id)).status).toBe(200);
    expect(await isPublic(id)).toBe(true);
    expect((await report(eve, id, { reason: 'hate' })).status).toBe(200);
    expect([await isInFeed(ada, id), await isPublic(id)]).toEqual([false, false]);
    expect((await fetch(`${product.origin}/c/${id}`)).status).toBe(404);
    expect((await ada.call('/api/user/toggle-like-creation', { json: { id } })).status).toBe(404);
  });

  it('is neither reset nor undone by unpublishing and publishing', async () => {
    const id = await draw();
    await report(bob, id);
    expect((await publish(id, false)).status).toBe(200);
    expect((await publish(id, true)).status).toBe(200);
    await report(eve, id);
    expect(await isPublic(id)).toBe(false);
    for (const value of [false, true]) await publish(id, value);
    expect(await refusal(await publish(id, true))).toEqual({
      status: 403,
      code: 'FORBIDDEN',
      message: 'It is hidden. Users reported it: Violence or gore.',
    });
    await ada.call(`/api/user/creations/${id}`, { method: 'DELETE' });
    await ada.call(`/api/user/creations/${id}/restore`, { method: 'POST' });
    expect([(await publish(id, true)).status, await isPublic(id)]).toEqual([403, false]);
  });

  it('is refused for one’s own picture, for a picture that is not public, and from an API key', async () => {
    const id = await draw();
    expect(await refusal(await report(ada, id))).toMatchObject({
      status: 403,
      message: expect.stringContaining('own picture'),
    });
    await publish(id, false);
    for (const missing of [id, '6ab926b4-8279-4434-82de-74f6f8f7f59b', 'nonsense'])
      expect(await refusal(await report(bob, missing))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const { secret } = (await json(
      await newcomer.call('/api/keys', { json: { name: 'script', scopes: ['read', 'write'] } }),
    )) as unknown as { secret: string };
    const byKey = await fetch(`${product.origin}/api/community/creations/${id}/report`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ reason: 'spam' }),
    });
    expect(byKey.status).toBe(403);
  });

  it('has one of the reasons, and words where the reason says nothing', async () => {
    const id = await draw();
    for (const fields of [
      {},
      { reason: 'ugly' },
      { reason: 'other' },
      { reason: 'spam', words: 'x'.repeat(501) },
      { reason: 'spam', words: 'a\0b' },
    ])
      expect((await report(newcomer, id, fields)).status).toBe(400);
  });

  it('of an account younger than REPORTS_MIN_ACCOUNT_HOURS does not count, and is still shown to operators', async () => {
    const [bob, eve] = [await reporter(), await reporter()];
    await product.sql(`UPDATE users SET created_at = now() - interval '23 hours' WHERE id = $1`, [
      newcomer.id,
    ]);
    await product.sql(`DELETE FROM creation_reports`);
    const id = await draw();
    const { dataSource, config } = product;
    const reports = new PictureReports(dataSource, new CreationEvents({ publishToUser: () => undefined }), {
      ...config,
      reportsMinAccountHours: 24,
    });
    await reports.report(newcomer.id, id, { reason: 'spam', words: 'Buys \u009b31mred' });
    await report(bob, id);
    expect(await isPublic(id)).toBe(true);
    const [listed] = await run<{ id: string; openReports: number; countedReports: number }[]>('reports');
    expect(listed).toMatchObject({ id, openReports: 2, countedReports: 1, isAppealOpen: false, state: null });
    expect(await run('dismiss', id)).toEqual({ id, dismissed: 2, appeal: false });
    expect(await run('reports')).toEqual([]);
    await report(eve, id);
    expect(await isPublic(id)).toBe(true);
  });

  it('is not repeated after an operator dismissed it, until the picture is changed', async () => {
    const [id, user] = [await draw(), await reporter()];
    await report(user, id);
    await run('dismiss', id);
    expect(await refusal(await report(user, id))).toMatchObject({
      status: 403,
      message: expect.stringContaining('looked at this picture after your report'),
    });
    expect([await isPublic(id), await openReports(id)]).toEqual([true, []]);
    await product.sql(`UPDATE creations SET published_caption = 'Another caption' WHERE id = $1`, [id]);
    expect((await report(user, id)).status).toBe(200);
  });

  it('is in the data of its reporter, not in those of the owner', async () => {
    const [id, user] = [await draw(), await reporter()];
    await report(user, id, { reason: 'spam', words: 'Private words' });
    const table = (await readUserTables(product.dataSource)).find((one) => one.table === 'creation_reports')!;
    const rowsOf = async ({ id: userId }: SignedInUser) => {
      const words: unknown[] = [];
      for await (const row of readUserRows(product.dataSource, table, userId)) words.push(row['words']);
      return words;
    };
    expect([await rowsOf(user), await rowsOf(ada)]).toEqual([['Private words'], []]);
  });

  it('is limited a day, also for many at once', async () => {
    const carl = await product.signUp('Carl');
    const made = await Promise.all(Array.from({ length: 22 }, (_, n) => draw(`n ${n}`)));
    await product.sql(
      `INSERT INTO creation_reports (creation_id, user_id, reason, counts) SELECT id::uuid, $1, 'spam', false FROM unnest($2::text[]) AS id`,
      [carl.id, made.slice(0, 19)],
    );
    const answers = await Promise.all(made.slice(19).map((id) => report(carl, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(Number(answers.find(({ status }) => status === 429)!.headers.get('retry-after'))).toBeGreaterThan(
      60,
    );
    for (let n = 0; n < 7; n += 1) await report(carl, made[0]!);
    expect(await refusal(await report(carl, made[0]!))).toMatchObject({
      status: 429,
      message: expect.stringContaining('reporting too fast'),
    });
  });
});

describe('a hidden picture', () => {
  it('is answered once by its owner, and restored by an operator', async () => {
    const [bob, eve] = [await reporter(), await reporter()];
    await product.sql(`DELETE FROM creation_reports`);
    const id = await draw();
    expect((await appeal(ada, id)).status).toBe(403);
    await report(bob, id);
    await report(eve, id);
    expect((await appeal(bob, id)).status).toBe(404);
    expect((await appeal(ada, id)).status).toBe(200);
    expect(await refusal(await appeal(ada, id, 'Again'))).toMatchObject({
      status: 403,
      message: expect.stringContaining('already'),
    });
    expect(await run('reports')).toEqual([
      expect.objectContaining({
        id,
        state: 'hidden',
        cause: 'reports',
        appeal: 'It is a drawing.',
        isAppealOpen: true,
        openReports: 2,
      }),
    ]);
    expect(await run('restore', id)).toEqual({ id, userId: ada.id, isPublished: true, changed: true });
    expect([await isPublic(id), await run('reports')]).toEqual([true, []]);
  });

  it('is not reported again as it was restored, and is once it is changed', async () => {
    const [bob, eve] = [await reporter(), await reporter()];
    const id = await draw();
    for (const user of [bob, eve]) await report(user, id);
    await run('restore', id);
    expect(await refusal(await report(bob, id))).toMatchObject({
      status: 403,
      message: expect.stringContaining('looked at this picture after your report'),
    });
    await product.sql(`UPDATE creations SET published_caption = 'Another caption' WHERE id = $1`, [id]);
    for (let n = 0; n < 2; n += 1) expect((await report(bob, id, { reason: 'hate' })).status).toBe(200);
    expect(await openReports(id)).toEqual([{ reason: 'hate', userId: bob.id }]);
    expect(await isPublic(id)).toBe(true);
    await report(eve, id);
    expect(await isPublic(id)).toBe(false);
  });

  it('keeps the first reason, its mail and an appeal at a second decision, which says that nothing changed', async () => {
    const id = await draw();
    const decision = () =>
      product.sql(
        `SELECT reason, is_notice_due AS "isDue", answered_at IS NOT NULL AS "isAnswered"
         FROM creation_moderations WHERE creation_id = $1`,
        [id],
      );
    const sendNotices = () =>
      product.sql(`UPDATE creation_moderations SET is_notice_due = false WHERE creation_id = $1`, [id]);
    expect(await run('restore', id)).toMatchObject({ isPublished: true, changed: false });
    for (const act of ['hide', 'takedown']) {
      expect(await run(act, id, '--reason', `First ${act}`)).toMatchObject({ changed: true });
      await sendNotices();
      if (act === 'hide') await appeal(ada, id);
      expect(await run(act, id, '--reason', 'Second')).toMatchObject({ changed: false });
      const isAnswered = act === 'takedown';
      expect(await decision()).toEqual([{ reason: `First ${act}`, isDue: false, isAnswered }]);
    }
    const acts = await product.sql(
      `SELECT action || ' ' || coalesce(details ->> 'changed', 'true') AS name FROM audit_log WHERE target = $1 ORDER BY id`,
      [id],
    );
    expect(acts.map(({ name }) => name)).toEqual([
      'creation.restore false',
      'creation.hide true',
      'creation.hide false',
      'creation.takedown true',
      'creation.takedown false',
    ]);
  });

  it('stays hidden if an operator dismisses the answer of its owner', async () => {
    const id = await draw();
    await run('hide', id, '--reason', 'It shows a person');
    await appeal(ada, id);
    const answer = () => run('dismiss', id);
    expect(await answer()).toEqual({ id, dismissed: 0, appeal: true });
    expect(await answer()).toEqual({ id, dismissed: 0, appeal: false });
    expect(await isPublic(id)).toBe(false);
    const listed = await run<{ id: string; isAppealOpen: boolean }[]>('reports', '--show', 'hidden');
    expect(listed.find((one) => one.id === id)).toMatchObject({
      reason: 'It shows a person',
      isAppealOpen: false,
    });
    const acts = await product.sql(
      `SELECT details ->> 'changed' AS changed FROM audit_log
       WHERE target = $1 AND action = 'creation.dismiss-reports' ORDER BY id`,
      [id],
    );
    expect(acts).toEqual([{ changed: null }, { changed: 'false' }]);
  });

  it('stays hidden if its owner unpublished or changed it, or it was taken down', async () => {
    const [unpublished, changed, taken] = [await draw(), await draw(), await draw()];
    for (const id of [unpublished, changed, taken]) await run('hide', id, '--reason', 'It shows a person');
    await publish(unpublished, false);
    await product.sql(`UPDATE creations SET content = content || 'x' WHERE id = $1`, [changed]);
    await run('takedown', taken);
    for (const id of [unpublished, changed, taken]) {
      expect(await run('restore', id)).toMatchObject({ isPublished: false });
      expect(await isPublic(id)).toBe(false);
    }
    expect((await publish(taken, true)).status).toBe(200);
  });

  it('has each decision in the audit log', async () => {
    const id = await draw();
    await run('hide', id, '--reason', 'It shows a person');
    expect(await run('reports', '--show', 'hidden')).toContainEqual(
      expect.objectContaining({ id, contents: null }),
    );
    expect(await run('reveal', id)).toMatchObject({
      image: expect.stringContaining('/files/'),
      text: null,
    });
    await run('restore', id);
    expect(await run('reports', '--show', 'published')).toContainEqual(
      expect.objectContaining({ id, contents: expect.objectContaining({ caption: expect.any(String) }) }),
    );
    const acts = await product.sql(
      `SELECT operator || ' ' || action || ' ' || coalesce(reason, '') AS name FROM audit_log WHERE target = $1 ORDER BY id`,
      [id],
    );
    expect(acts.map(({ name }) => name)).toEqual([
      'anna creation.hide It shows a person',
      'anna creation.reveal ',
      'anna creation.restore ',
    ]);
    await expect(run('approve', id)).rejects.toThrow('does not wait');
  });
});
