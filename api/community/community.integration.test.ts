import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PublishedCreation } from '#libs/contract/sharing.js';
import {
  json,
  PASSWORD,
  type SignedInUser,
  useInProcessProduct,
} from '../../test/support/in-process-product.ts';
import { Community } from './community.service.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const product = useInProcessProduct();
let ada: SignedInUser;
let bob: SignedInUser;

beforeAll(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada'), product.signUp('Bob')]);
});

interface Feed {
  creations: PublishedCreation[];
  nextCursor: string | null;
}
interface Toggled {
  success: boolean;
  message: string;
  code?: string;
  liked: boolean;
  likeCount: number;
}

const draw = async (client: SignedInUser, object: string, publish = true) =>
  (await json(await client.call('/api/ai/probe-image', { json: { object, publish } }))).creationId;
const feed = async (client: SignedInUser, query = '') =>
  (await (await client.call(`/api/user/get-published-creations${query}`)).json()) as Feed;
const shown = async (client: SignedInUser, id: string) =>
  (await feed(client)).creations.find((creation) => creation.id === id);
const toggle = (client: SignedInUser, id: unknown) =>
  client.call('/api/user/toggle-like-creation', { json: { id } });
const toggled = async (client: SignedInUser, id: string) =>
  (await (await toggle(client, id)).json()) as Toggled;
const publish = (client: SignedInUser, id: string, value: boolean) =>
  client.call(`/api/user/creations/${id}/publish`, { json: { publish: value } });

describe('the feed', () => {
  it('shows the published images of all users at public addresses, with author and likes', async () => {
    const id = await draw(ada, 'a fox');
    await toggled(bob, id);
    const creation = await shown(bob, id);
    expect(creation).toEqual({
      id,
      type: 'image',
      prompt: 'a fox',
      engine: 'offline',
      content: `${product.origin}/c/${id}/image`,
      thumbnail: `${product.origin}/c/${id}/thumbnail`,
      page: `${product.origin}/c/${id}`,
      published: true,
      created_at: expect.any(String),
      likes: [bob.id],
      likeCount: 1,
      likedByMe: true,
      author: { name: 'Ada', imageUrl: null },
      model: null,
    });
    expect((await shown(ada, id))?.likedByMe).toBe(false);
    expect((await fetch(creation?.content ?? '')).headers.get('content-type')).toBe('image/png');
    expect((await fetch(creation?.thumbnail ?? '')).status).toBe(200);
  });

  it('omits creations that are not published, unpublished, deleted, or not images', async () => {
    const [secret, withdrawn, deleted] = await Promise.all([
      draw(ada, 'secret', false),
      draw(ada, 'withdrawn'),
      draw(ada, 'deleted'),
    ]);
    const article = await json(await ada.call('/api/ai/generate-article', { json: { prompt: 'Tea' } }));
    await product.sql(`UPDATE creations SET published = true WHERE id = $1`, [article.creationId]);
    await publish(ada, withdrawn, false);
    await ada.call(`/api/user/creations/${deleted}`, { method: 'DELETE' });
    const ids = (await feed(bob)).creations.map(({ id }) => id);
    for (const id of [secret, withdrawn, deleted, article.creationId]) expect(ids).not.toContain(id);
  });

  it('comes newest first, in pages without gaps or repetitions while others publish', async () => {
    const made = [await draw(ada, 'one'), await draw(bob, 'two'), await draw(ada, 'three')];
    const all = (await feed(ada)).creations.map(({ id }) => id);
    expect(all.slice(0, 3)).toEqual([...made].reverse());
    const paged: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 20; page += 1) {
      const answer: Feed = await feed(ada, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      expect(answer.creations.length).toBeLessThanOrEqual(2);
      paged.push(...answer.creations.map(({ id }) => id));
      cursor = answer.nextCursor;
      if (page === 0) await draw(bob, 'later');
    }
    expect(paged).toEqual(all);
    for (const query of ['?limit=0', '?limit=x', '?cursor=nonsense']) {
      expect((await ada.call(`/api/user/get-published-creations${query}`)).status).toBe(400);
    }
  });

  it('is for signed-in users', async () => {
    expect((await fetch(`${product.origin}/api/user/get-published-creations`)).status).toBe(401);
  });
});

describe('a like', () => {
  it('can be given and removed, and the author sees it', async () => {
    const id = await draw(ada, 'liked');
    expect(await toggled(bob, id)).toEqual({
      success: true,
      message: 'Creation liked',
      liked: true,
      likeCount: 1,
    });
    expect(await toggled(ada, id)).toMatchObject({ liked: true, likeCount: 2 });
    expect((await shown(ada, id))?.likes).toEqual([bob.id, ada.id]);
    const own = await json(await ada.call('/api/user/get-user-creations'));
    expect(own.creations.find((creation) => creation.id === id)?.likes).toEqual([bob.id, ada.id]);
    expect(await toggled(bob, id)).toEqual({
      success: true,
      message: 'Like removed',
      liked: false,
      likeCount: 1,
    });
  });

  it.each(['49', '50'])('is correct after %s simultaneous toggles of one user', async (times) => {
    const id = await draw(ada, `toggled ${times} times`);
    const answers = await Promise.all(Array.from({ length: Number(times) }, () => toggled(bob, id)));
    expect(answers.filter(({ liked }) => liked)).toHaveLength(Math.ceil(Number(times) / 2));
    const liked = Number(times) % 2 === 1;
    expect(await shown(bob, id)).toMatchObject({ likedByMe: liked, likeCount: liked ? 1 : 0 });
  });

  it('counts fifty simultaneous users', async () => {
    const id = await draw(ada, 'loved');
    const users = Array.from({ length: 50 }, (_, i) => `fan-${i}`);
    await product.sql(`INSERT INTO users (id, name) SELECT fan, fan FROM unnest($1::text[]) AS fan`, [users]);
    const community = new Community(product.dataSource, product.config);
    await Promise.all(users.map((user) => community.toggleLike(user, id)));
    const creation = await shown(ada, id);
    expect(creation?.likeCount).toBe(50);
    expect([...(creation?.likes ?? [])].sort()).toEqual([...users].sort());
  });

  it('is for published images only, and does not reveal other creations', async () => {
    const [secret, deleted] = [await draw(ada, 'secret', false), await draw(ada, 'deleted')];
    await ada.call(`/api/user/creations/${deleted}`, { method: 'DELETE' });
    const refused = await Promise.all(
      [secret, deleted, randomUUID(), 'nonsense'].map(async (id) => {
        const answer = await toggle(bob, id);
        const { code, message } = await json(answer);
        return { status: answer.status, code, message };
      }),
    );
    expect(new Set(refused.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(refused[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    for (const id of [undefined, '', 7, null]) {
      const answer = await toggle(bob, id);
      expect(answer.status).toBe(400);
      expect((await json(answer)).code).toBe('VALIDATION_FAILED');
    }
  });

  it('returns when its image is published again, and is deleted with its user', async () => {
    const id = await draw(ada, 'shown again');
    const carl = await product.signUp('Carl');
    await toggled(bob, id);
    await toggled(carl, id);
    await publish(ada, id, false);
    await publish(ada, id, true);
    expect((await shown(ada, id))?.likeCount).toBe(2);
    expect(
      (await carl.call('/api/user/account', { method: 'DELETE', json: { password: PASSWORD } })).status,
    ).toBe(200);
    expect((await shown(ada, id))?.likes).toEqual([bob.id]);
    await product.sql(`DELETE FROM creations WHERE id = $1`, [id]);
    const [left] = await product.sql(
      `SELECT count(*)::integer AS count FROM creation_likes WHERE creation_id = $1`,
      [id],
    );
    expect(left?.count).toBe(0);
  });
});
