import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { creationRequests } from '../../test/support/creation-requests.ts';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const product = useInProcessProduct();
let ada: SignedInUser;
let bob: SignedInUser;
const { draw, creations, remove, restore } = creationRequests(() => ada);

beforeEach(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada <b>Lovelace</b>'), product.signUp('Bob')]);
});

describe('the text of a creation', () => {
  const SESSIONS = ['a', 'b'].map((digit) => UNKNOWN.replace(/^0+/, digit.repeat(8))) as [string, string];
  const write = async (content = 'As the engine gave it.', type = 'article', client = ada) => {
    const id = randomUUID();
    await product.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
       VALUES ($1, $2, 'generate-article', $3, 'Winter', $4, 'offline')`,
      [id, client.id, type, content],
    );
    return id;
  };
  const tag = (revision: number) => `"${revision}"`;
  const edit = (
    id: string,
    {
      revision = 1,
      content = 'Edited',
      session = SESSIONS[0],
      label = undefined as string | undefined,
      client = ada,
      match = tag(revision),
    },
  ) =>
    client.call(`/api/user/creations/${id}/content`, {
      method: 'PUT',
      json: { content, session, label },
      headers: match ? { 'If-Match': match } : {},
    });
  const edited = async (id: string, options: Parameters<typeof edit>[1]) => {
    const answer = await edit(id, options);
    expect(answer.status).toBe(200);
    return (await json(answer)).creation;
  };
  const read = async (id: string) => {
    const answer = await ada.call(`/api/user/creations/${id}`);
    return { tag: answer.headers.get('etag'), ...(await json(answer)).creation };
  };
  const versionsOf = async (id: string) =>
    (await json(await ada.call(`/api/user/creations/${id}/versions`))).versions;
  const contentsOf = async (id: string) =>
    Promise.all(
      (await versionsOf(id)).map(async ({ id: version, content }) => {
        expect(content).toBeNull();
        return (await json(await ada.call(`/api/user/creations/${id}/versions/${version}`))).version.content;
      }),
    );
  const change = (id: string, version: string, what: 'restore' | 'delete') =>
    ada.call(`/api/user/creations/${id}/versions/${version}${what === 'restore' ? '/restore' : ''}`, {
      method: what === 'restore' ? 'POST' : 'DELETE',
    });
  const name = (id: string, version: string, label: string) =>
    ada.call(`/api/user/creations/${id}/versions/${version}`, { method: 'PATCH', json: { label } });

  it('is edited with one version per session, and the generated text stays', async () => {
    const id = await write();
    expect(await read(id)).toMatchObject({ revision: 1, editable: true, tag: '"1"' });
    expect(await versionsOf(id)).toEqual([
      expect.objectContaining({ id, number: 1, original: true, current: true, named: false, width: null }),
    ]);
    await edited(id, { content: '# One 🦊' });
    expect(await edited(id, { revision: 2, content: '# One, longer' })).toMatchObject({ revision: 3 });
    await edited(id, { revision: 3, content: 'Two', session: SESSIONS[1], label: 'Made shorter' });
    expect((await versionsOf(id)).map(({ label, named }) => [label, named])).toEqual([
      ['Made shorter', false],
      ['Edited', false],
      [expect.any(String), false],
    ]);
    expect(await contentsOf(id)).toEqual(['Two', '# One, longer', 'As the engine gave it.']);
    expect(await read(id)).toMatchObject({ content: 'Two', revision: 4, tag: '"4"' });
    expect((await creations(ada, '?search=two')).creations).toHaveLength(1);
    expect((await creations(ada, '?search=engine')).creations).toHaveLength(0);

    expect((await json(await change(id, id, 'restore'))).creation).toMatchObject({
      content: 'As the engine gave it.',
      revision: 5,
    });
    await edited(id, { revision: 5, content: 'Three', session: SESSIONS[1] });
    expect(await contentsOf(id)).toEqual(['Three', 'Two', '# One, longer', 'As the engine gave it.']);
  });

  it('is not overwritten by an edit of an older text; a lost answer causes no conflict', async () => {
    const id = await write();
    const answers = await Promise.all([1, 2, 3].map((n) => edit(id, { content: `By tab ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const { content } = await read(id);
    const stale = await edit(id, { content: 'Late' });
    expect(await json(stale)).toMatchObject({ code: 'VERSION_CONFLICT', details: { revision: 2 } });
    expect(await edited(id, { content })).toMatchObject({ revision: 2, content });
    for (const match of ['*', 'W/"2"', '"two"', '"0"']) expect((await edit(id, { match })).status).toBe(412);
    const without = await edit(id, { match: '' });
    expect([without.status, (await json(without)).code]).toEqual([428, 'PRECONDITION_REQUIRED']);
  });

  it('is refused if it needs more space than is free, and accepted if it needs less', async () => {
    const id = await write('As the engine gave it, at some length.');
    await edited(id, { content: 'Edited, at some length.' });
    await draw();
    await product.sql(`UPDATE objects SET bytes = 104857600 WHERE user_id = $1`, [
      (await json(await ada.call('/api/user/account'))).profile.id,
    ]);
    const longer = { content: 'Edited, at more length than before.' };
    const oneMore = { content: 'Edited, at no length.', session: SESSIONS[1] };
    for (const change of [longer, oneMore]) {
      const answer = await edit(id, { revision: 2, ...change });
      expect([answer.status, (await json(answer)).code]).toEqual([409, 'STORAGE_FULL']);
    }
    expect(await edited(id, { revision: 2, content: 'Shorter.' })).toMatchObject({ revision: 3 });
  });

  it('keeps named versions, and deletes the oldest of the others', async () => {
    const id = await write();
    await edited(id, { content: 'Good' });
    const [good] = await versionsOf(id);
    expect((await json(await name(id, good!.id, '  Before the cut '))).version).toMatchObject({
      label: 'Before the cut',
      named: true,
    });
    for (let n = 0; n < 22; n += 1) {
      const session = UNKNOWN.replace(/^0+/, String(10_000_000 + n));
      await edited(id, { revision: n + 2, content: `Draft ${n}`, session });
    }
    const versions = await versionsOf(id);
    expect(versions).toHaveLength(21);
    const contents = await contentsOf(id);
    expect(contents.slice(-3)).toEqual(['Draft 3', 'Good', 'As the engine gave it.']);
    await edited(id, { revision: 24, content: 'Better', session: SESSIONS[0] });
    expect((await versionsOf(id)).map(({ label }) => label)).toContain('Before the cut');
    expect(await contentsOf(id)).toContain('Good');

    expect((await change(id, good!.id, 'delete')).status).toBe(200);
    expect((await change(id, good!.id, 'delete')).status).toBe(404);
    const path = (version: string) => `/api/user/creations/${id}/versions/${version}`;
    expect((await ada.call(path(good!.id))).status).toBe(404);
    expect((await bob.call(path(id))).status).toBe(404);
    expect((await name(id, id, 'Mine')).status).toBe(403);
    expect((await name(id, versions[0]!.id, ' ')).status).toBe(400);
  });

  it('is refused if it is no text, too long, or unknown', async () => {
    const id = await write();
    const refusals = await Promise.all([
      edit(id, { content: '' }),
      edit(id, { content: ' \n ' }),
      edit(id, { content: 'x'.repeat(300_001) }),
      edit(id, { content: 'nul \0' }),
      edit(id, { content: 'half \ud83e' }),
      edit(id, { content: 'bell \u0007' }),
      edit(id, { content: '['.repeat(2_000) }),
      edit(id, { session: 'mine' }),
      edit(id, { label: ' ' }),
      edit(id, { client: bob }),
      edit(UNKNOWN, {}),
      edit((await draw()).creationId, {}),
      edit(await write('{}', 'ats-score'), {}),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([
      ...Array<number>(9).fill(400),
      ...[404, 404, 403, 403],
    ]);
    expect(await read(id)).toMatchObject({ content: 'As the engine gave it.', revision: 1 });
    expect((await edited(id, { content: '"'.repeat(300_000) })).content).toHaveLength(300_000);
    await remove(id);
    expect((await edit(id, { revision: 2 })).status).toBe(404);
  });

  const share = (id: string, live?: boolean, client = ada) =>
    client.call(`/api/user/creations/${id}/share`, {
      method: 'PUT',
      ...(live !== undefined && { json: { live } }),
    });
  const shared = async (id: string, live?: boolean) => (await json(await share(id, live))).share!;
  const readShared = (url: string) => fetch(url.replace('/t/', '/api/shared/'));
  const textOf = async (url: string) => (await json(await readShared(url))).text;

  it('is shared by an unguessable link, with or without later edits', async () => {
    const id = await write('# Harbours <b>\n\nThe *sea* is deep.');
    const link = `/api/user/creations/${id}/share`;
    expect((await json(await ada.call(link))).share).toBeNull();
    const { url, live } = await shared(id);
    expect([url, live]).toEqual([expect.stringMatching(/\/t\/[\w-]{43}$/), true]);
    expect(await textOf(url)).toMatchObject({ title: 'Harbours <b>', author: 'Ada <b>Lovelace</b>' });
    await edited(id, { content: 'Newer' });
    expect(await textOf(url)).toMatchObject({ title: 'Newer', content: 'Newer' });

    expect(await shared(id, false)).toMatchObject({ url, live: false });
    await edited(id, { revision: 2, content: 'Private again' });
    expect((await textOf(url)).content).toBe('Newer');
    expect((await json(await ada.call(link))).share).toMatchObject({ url, live: false });
    await remove(id);
    expect((await readShared(url)).status).toBe(404);
    await restore(id);
    expect((await readShared(url)).headers.get('cache-control')).toBe('no-store');

    expect((await ada.call(link, { method: 'DELETE' })).status).toBe(200);
    expect((await ada.call(link, { method: 'DELETE' })).status).toBe(200);
    expect((await readShared(url)).status).toBe(404);
    expect((await shared(id)).url).not.toBe(url);
  });

  it('is shared by its owner only, and an image never', async () => {
    const id = await write();
    expect((await share(id, true, bob)).status).toBe(404);
    expect((await bob.call(`/api/user/creations/${id}/share`)).status).toBe(404);
    expect((await share((await draw()).creationId)).status).toBe(403);
    for (const token of ['short', 'A'.repeat(43), '%00'])
      expect((await fetch(`${product.origin}/api/shared/${token}`)).status).toBe(404);
  });

  it('has a page with preview tags that is not indexed', async () => {
    const { url } = await shared(await write('# Harbours "at <b>sea</b>"\n\nThe *sea* is deep.'));
    const page = await fetch(url);
    const html = await page.text();
    expect([page.status, page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
      ...[200, 'no-store, no-transform', 'noindex, nofollow'],
    ]);
    expect(html).toContain('<title>Harbours &quot;at &lt;b&gt;sea&lt;/b&gt;&quot; · Pressroom</title>');
    expect(html).toContain(`<meta property="og:url" content="${url}">`);
    expect(html).toContain('<meta property="og:description" content="The sea is deep.">');
    expect(html).toContain('noindex');
    const gone = await fetch(`${product.origin}/t/${'A'.repeat(43)}`);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('<title>Not shared')]);
  });
});
