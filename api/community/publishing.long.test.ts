import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Creation } from '#libs/contract/creations.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { CreationEntity } from '#libs/database/entities/creations.js';
import { contentHashOf } from '#libs/publishing/content-hash.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.ts';
import {
  form,
  json,
  startInProcessProduct,
  type InProcessProduct,
  type SignedInUser,
} from '../../test/support/in-process-product.ts';
import { MailServer } from '../../test/support/mail-server.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

let provider: FakeProvider;
let product: InProcessProduct;
let ada: SignedInUser;

const start = async (variables: Record<string, string>) => {
  product = await startInProcessProduct(variables);
  ada = await product.signUp('Ada', 'premium');
};
const withModeration = () => ({
  OPENAI_API_KEY: 'any',
  OPENAI_BASE_URL: provider.url,
  AI_MODERATION_MODEL: 'omni',
  AI_BREAKER_FAILURES: '1000',
});

beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());
beforeEach(() => void (provider.requests.length = 0));

const draw = async (object: string, publish = false) =>
  (await json(await ada.call('/api/ai/probe-image', { json: { object, publish } }))).creationId;
const publish = (id: string, fields: object = {}) =>
  ada.call(`/api/user/creations/${id}/publish`, { json: { publish: true, ...fields } });
const creationOf = async (id: string): Promise<Creation> =>
  (await json(await ada.call(`/api/user/creations/${id}`))).creation;
const stateOf = async (id: string) => {
  const { published, moderation } = await creationOf(id);
  return [published, moderation?.state ?? null, (await fetch(`${product.origin}/c/${id}/image`)).status];
};
const moderated = () => provider.requests.filter(({ path }) => path === '/v1/moderations').length;
const run = async (...words: string[]) => {
  const { config } = product;
  const { status, out, errors } = await runCommand(['--as', 'anna', 'creations', ...words, '--json'], {
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
  });
  if (status !== 0) throw new Error(errors);
  return JSON.parse(out) as unknown;
};
/** Makes a decision one of before migration 66, without the name of the account. */
const removeName = async (id: string) => {
  await product.sql('UPDATE creations SET published_name = NULL WHERE id = $1', [id]);
  const creation = await product.dataSource.getRepository(CreationEntity).findOneByOrFail({ id });
  await product.sql('UPDATE creation_moderations SET content_hash = $2 WHERE creation_id = $1', [
    id,
    contentHashOf(creation),
  ]);
};
let versions = 0;
const addVersion = async (id: string) => {
  const [{ id: base }] = (await json(await ada.call(`/api/user/creations/${id}/versions`))).versions as [
    CreationVersion,
  ];
  const color = { r: (versions += 1), g: 90, b: 90 };
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
    .png()
    .toBuffer();
  return ada.call(`/api/user/creations/${id}/versions`, {
    method: 'POST',
    body: form({ label: 'Cropped', base, image: { bytes, name: 'a.png' } }),
  });
};

describe('with a moderation model', () => {
  beforeAll(() => start(withModeration()));
  afterAll(() => product.stop());

  it('publishes what it does not flag, and asks once about the same picture and words', async () => {
    const id = await draw('a fox');
    expect((await json(await publish(id))).message).toBe('Published');
    expect(await stateOf(id)).toEqual([true, null, 200]);
    const [asked] = provider.requests.filter(({ path }) => path === '/v1/moderations');
    expect(asked!.moderation).toMatchObject({
      model: 'omni',
      input: [
        { text: 'a fox\nAda' },
        { image_url: { url: expect.stringMatching(/^data:image\/\w+;base64,.{20}/) } },
      ],
    });
    await ada.call(`/api/user/creations/${id}/publish`, { json: { publish: false } });
    await publish(id);
    expect([await stateOf(id), moderated()]).toEqual([[true, null, 200], 1]);
    await until('the call is stored', async () => {
      const ended = `SELECT FROM provider_calls WHERE tool = 'publishing' AND status = 'ok'`;
      return (await product.sql(ended)).length === 1;
    });
    await publish(id, { caption: 'Another' });
    expect(moderated()).toBe(2);
  });

  it('shows the name of the account that was checked, also after the account has another', async () => {
    const ids = [await draw('a hare', true), await draw('a lynx')];
    await publish(ids[1]!);
    const authorsOf = async () => {
      const feed = await json(await ada.call('/api/user/get-published-creations'));
      const shown = feed.creations as unknown as { id: string; author: { name: string } }[];
      const pages = await Promise.all(
        ids.map(async (id) => (await fetch(`${product.origin}/c/${id}`)).text()),
      );
      return ids.map((id, n) => [
        shown.find((one) => one.id === id)?.author.name,
        pages[n]!.includes('Rude Name'),
      ]);
    };
    await product.sql(`UPDATE users SET name = 'Rude Name' WHERE id = $1`, [ada.id]);
    try {
      expect(await authorsOf()).toEqual([
        ['Ada', false],
        ['Ada', false],
      ]);
      const before = moderated();
      await publish(ids[0]!);
      expect(moderated()).toBe(before + 1);
      expect((await authorsOf())[0]).toEqual(['Rude Name', true]);
      await product.sql(`UPDATE users SET name = 'Ada [[flag]]' WHERE id = $1`, [ada.id]);
      expect((await publish(await draw('a wolf'))).status).toBe(403);
    } finally {
      await product.sql(`UPDATE users SET name = 'Ada' WHERE id = $1`, [ada.id]);
    }
  });

  it('refuses what it flags, says so, and does not ask again about the same', async () => {
    const id = await draw('a fox [[flag]]');
    for (let n = 0; n < 2; n += 1) {
      const answer = await publish(id);
      expect([answer.status, (await json(answer)).message]).toEqual([
        403,
        expect.stringContaining('The automatic check found something that may not be published here.'),
      ]);
    }
    expect([await stateOf(id), moderated()]).toEqual([[false, 'refused', 404], 1]);
    expect((await creationOf(id)).moderation).toMatchObject({ canAppeal: true, appeal: null });
    await ada.call(`/api/user/creations/${id}/appeal`, { json: { text: 'It is a fox.' } });
    await publish(id);
    expect((await creationOf(id)).moderation).toMatchObject({ canAppeal: false, appeal: 'It is a fox.' });
    await removeName(id);
    expect((await publish(id)).status).toBe(403);
    expect((await creationOf(id)).moderation).toMatchObject({ canAppeal: false, appeal: 'It is a fox.' });
    expect(moderated()).toBe(1);
    expect(await run('approve', id)).toMatchObject({ isPublished: true });
    expect(await stateOf(id)).toEqual([true, null, 200]);
  });

  it.each(['[[404]]', '[[500]]', '[[garbage]]'])('holds back what it cannot decide: %s', async (marker) => {
    const id = await draw(`a fox ${marker}`);
    const answer = await publish(id);
    expect([answer.status, (await json(answer)).message]).toEqual([200, 'Waiting for review']);
    expect(await stateOf(id)).toEqual([false, 'waiting', 404]);
    expect((await creationOf(id)).moderation!.reason).toContain('did not answer');
    expect(await run('reports')).toEqual(
      expect.arrayContaining([expect.objectContaining({ id, cause: 'unavailable' })]),
    );
    await ada.call(`/api/user/creations/${id}/publish`, { json: { publish: false } });
    expect((await creationOf(id)).moderation).toBeNull();
  });

  it('checks what a job publishes', async () => {
    const [fine, flagged] = [await draw('a fox', true), await draw('a fox [[flag]]', true)];
    expect([await stateOf(fine), await stateOf(flagged)]).toEqual([
      [true, null, 200],
      [false, 'refused', 404],
    ]);
    expect(moderated()).toBe(2);
  });

  it('checks a published picture again when it is changed', async () => {
    const id = await draw('a fox', true);
    expect((await addVersion(id)).status).toBe(200);
    expect([await stateOf(id), moderated()]).toEqual([[true, null, 200], 2]);
    provider.script({ flags: true });
    expect((await addVersion(id)).status).toBe(200);
    expect(await stateOf(id)).toEqual([false, 'refused', 404]);
  });

  it.each<[string, boolean, (id: string) => Promise<Response>, number]>([
    ['after a change', true, addVersion, 200],
    ['with another caption', true, (id) => publish(id, { caption: 'Another' }), 412],
    ['before its first publication', false, publish, 412],
  ])(
    'does not publish a picture that was unpublished during the check %s',
    async (_, isPublic, change, status) => {
      const id = await draw('a fox', isPublic);
      provider.script({ stops: 1 });
      const changing = change(id);
      await until('the check', () => provider.stopped === 1);
      await ada.call(`/api/user/creations/${id}/publish`, { json: { publish: false } });
      provider.goOn();
      expect((await changing).status).toBe(status);
      expect(await stateOf(id)).toEqual([false, null, 404]);
    },
  );
});

describe('with review', () => {
  let mail: MailServer;
  beforeAll(async () => {
    mail = await MailServer.start();
    await start({ PUBLISHING: 'review', ...mail.variables() });
  });
  afterAll(async () => {
    await product.stop();
    await mail.stop();
  });

  it('mails the owner what an operator decided, and why', async () => {
    const id = await draw('a fox', true);
    await run('approve', id);
    expect((await mail.next(ada.email)).source).toContain('is public now');
    await run('hide', id, '--reason', 'It shows a person');
    const { source, link } = await mail.next(ada.email);
    expect(source).toContain('Whoever runs this server decided so: It shows a person.');
    expect(link).toBe(`${product.origin}/ai/creations/${id}`);
  });

  it('shows the name of the account at the approval of a picture that waited before migration 66', async () => {
    const id = await draw('a fox', true);
    await removeName(id);
    const rename = (name: string) => product.sql('UPDATE users SET name = $2 WHERE id = $1', [ada.id, name]);
    const page = async () => (await fetch(`${product.origin}/c/${id}`)).text();
    try {
      await rename('Approved Name');
      expect(await run('approve', id)).toMatchObject({ isPublished: true });
      await ada.call(`/api/user/creations/${id}/publish`, { json: { publish: false } });
      await publish(id);
      expect(await stateOf(id)).toEqual([true, null, 200]);
      await run('hide', id);
      await removeName(id);
      await rename('Restored Name');
      expect(await run('restore', id)).toMatchObject({ isPublished: true });
      await rename('Rude Name');
      expect(await page()).toContain('Restored Name');
      expect(await page()).not.toContain('Rude Name');
    } finally {
      await rename('Ada');
    }
  });

  it('lets a picture wait until an operator approves it, and again after a change', async () => {
    const [id, made] = [await draw('a fox'), await draw('a hare', true)];
    expect((await json(await publish(id))).creation).toMatchObject({
      published: false,
      page: null,
      moderation: {
        state: 'waiting',
        canAppeal: false,
        reason: expect.stringContaining('looks at every picture'),
      },
    });
    for (const waiting of [id, made]) {
      expect(await stateOf(waiting)).toEqual([false, 'waiting', 404]);
      expect(await run('approve', waiting)).toMatchObject({ isPublished: true });
      expect(await stateOf(waiting)).toEqual([true, null, 200]);
    }
    await ada.call(`/api/user/creations/${id}/publish`, { json: { publish: false } });
    await publish(id);
    expect(await stateOf(id)).toEqual([true, null, 200]);
    await addVersion(id);
    expect(await stateOf(id)).toEqual([false, 'waiting', 404]);
    await publish(made, { caption: 'Other words' });
    expect(await stateOf(made)).toEqual([false, 'waiting', 404]);
  });
});

describe('with publishing switched off', () => {
  beforeAll(() => start({ PUBLISHING: 'off' }));
  afterAll(() => product.stop());

  it('refuses to publish, keeps what is public, and says so in the configuration', async () => {
    const id = await draw('a fox');
    const refused = await publish(id);
    expect([refused.status, (await json(refused)).message]).toEqual([
      403,
      expect.stringContaining('Publishing is switched off'),
    ]);
    const submitted = await ada.call('/api/ai/generate-image', { json: { prompt: 'a fox', publish: true } });
    expect([submitted.status, (await json(submitted)).code]).toEqual([403, 'FORBIDDEN']);
    await product.sql(`UPDATE creations SET published = true WHERE id = $1`, [id]);
    expect(await stateOf(id)).toEqual([true, null, 200]);
    const config = (await (await fetch(`${product.origin}/api/config`)).json()) as { publishing: string };
    expect(config.publishing).toBe('off');
    expect((await ada.call(`/api/user/creations/${id}/publish`, { json: { publish: false } })).status).toBe(
      200,
    );
    expect(await stateOf(id)).toEqual([false, null, 404]);
  });
});
