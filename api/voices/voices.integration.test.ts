import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_VOICES, type Voice } from '#libs/contract/brief.js';
import type { SignedInUser } from '../../test/support/in-process-product.ts';
import { useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const VOICES = '/api/user/voices';
const product = useInProcessProduct();
let ada: SignedInUser;
let bob: SignedInUser;
beforeAll(async () => {
  [ada, bob] = [await product.signUp('Ada'), await product.signUp('Bob')];
});

const add = (client: SignedInUser, name: string, manner: object = { tone: 'dry' }) =>
  client.call(VOICES, { json: { name, manner } });
const json = async (answer: Response) =>
  (await answer.json()) as { voice: Voice; voices: Voice[]; message: string };
const namesOf = async (client: SignedInUser) =>
  (await json(await client.call(VOICES))).voices.map(({ name }) => name);

describe('the voices of a user', () => {
  it('are stored, changed and deleted', async () => {
    const manner = { tone: 'warm', pointOfView: 'we', avoid: 'delve', sample: 'We print.' };
    const added = await add(ada, ' Shop ', { ...manner, audience: '' });
    expect(added.status).toBe(200);
    const { voice } = await json(added);
    expect(voice).toEqual({ id: expect.any(String), name: 'Shop', manner });
    await add(ada, 'Blog');
    expect(await namesOf(ada)).toEqual(['Blog', 'Shop']);
    const path = `${VOICES}/${voice.id}`;
    const changed = await ada.call(path, {
      method: 'PUT',
      json: { name: 'Store', manner: { tone: 'calm' } },
    });
    expect((await json(changed)).voice).toEqual({ id: voice.id, name: 'Store', manner: { tone: 'calm' } });
    expect((await ada.call(path, { method: 'DELETE' })).status).toBe(200);
    expect((await ada.call(path, { method: 'DELETE' })).status).toBe(404);
    expect(await namesOf(ada)).toEqual(['Blog']);
  });

  it('are private', async () => {
    const { voice } = await json(await add(ada, 'Own'));
    expect(await namesOf(bob)).toEqual([]);
    for (const method of ['PUT', 'DELETE']) {
      const answer = await bob.call(`${VOICES}/${voice.id}`, {
        method,
        ...(method === 'PUT' && { json: { name: 'Mine', manner: {} } }),
      });
      expect([answer.status, (await json(answer)).message]).toEqual([404, 'There is no such voice.']);
    }
    expect((await bob.call(`${VOICES}/none`, { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    ['without a name', { name: ' ', manner: {} }, 'Give the voice a name of at most 60 characters.'],
    ['with too long a sample', { name: 'Long', manner: { sample: 'x'.repeat(3_001) } }, /3,000 characters/],
    ['with invalid characters', { name: 'A', manner: { tone: 'a\0b' } }, /invalid characters/],
    [
      'with another’s name',
      { name: 'Own', manner: {} },
      'You already have a voice called “Own”. Choose another name.',
    ],
  ])('are refused %s', async (_, body, message) => {
    const answer = await ada.call(VOICES, { json: body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await json(answer))).toMatch(
      message instanceof RegExp ? message : new RegExp(message),
    );
  });

  it(`are at most ${MAX_VOICES}, even with simultaneous requests`, async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_VOICES + 4 }, (_, number) => add(bob, `Voice ${number}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_VOICES);
    expect(await namesOf(bob)).toHaveLength(MAX_VOICES);
    expect((await json(answers.find(({ status }) => status === 400)!)).message).toMatch(/Delete one first/);
  });
});
