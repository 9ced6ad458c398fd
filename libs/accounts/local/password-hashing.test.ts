import { readFile } from 'node:fs/promises';
import { setImmediate as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { TestClock } from '../../../test/support/test-clock.ts';
import { hashingFor, passwordHashing, signInLine } from './password-hashing.js';
import { rewriteRefusal } from './refusals.js';

it('hashes two passwords at once with twenty in line, refuses more, and leaves threads to files', async () => {
  const { hash, verify } = passwordHashing();
  let done = 0;
  const hashes = Array.from({ length: 22 }, async (_, n) => {
    const made = await hash(`a long password ${n}`);
    done += 1;
    return made;
  });
  const refused = { status: 'TOO_MANY_REQUESTS', headers: { 'X-Retry-After': '2' } };
  await expect(hash('one more')).rejects.toMatchObject(refused);
  await expect(verify({ hash: 'any:any', password: 'one more' })).rejects.toMatchObject(refused);
  await readFile(fileURLToPath(import.meta.url));
  // With all of them at once, four threads would begin with the file after eighteen.
  expect(done).toBeLessThan(18);
  const [made] = await Promise.all(hashes);
  expect(await verify({ hash: made!, password: 'a long password 0' })).toBe(true);
  expect(await verify({ hash: made!, password: 'another one' })).toBe(false);
});

it('hashes first for the network that has asked least, and refuses the one that has asked most', async () => {
  const { hash } = passwordHashing();
  const ended: string[] = [];
  const start = (network: string, number: number) =>
    hashingFor(network, () => hash(`a long password of ${network} ${number}`)).then(
      () => ended.push(network),
      (error: { body: { code: string } }) => ended.push(`${network} ${error.body.code}`),
    );
  const flood = Array.from({ length: 22 }, (_, n) => start('flood', n));
  await Promise.all([start('honest', 0), start('flood', 22)]);
  expect(ended.slice(0, 2).sort()).toEqual(['flood RATE_LIMITED', 'flood RATE_LIMITED']);
  expect(ended.indexOf('honest')).toBeLessThan(6);
  await Promise.all(flood);
});

it('says to a network that is not the cause that many people are signing in', async () => {
  const { hash } = passwordHashing();
  const hashes = Array.from({ length: 22 }, (_, n) =>
    hashingFor(`network ${n}`, () => hash(`a long password ${n}`)),
  );
  const one = hashingFor('another', () => hash('one more'));
  await expect(one).rejects.toMatchObject({ body: { code: 'MANY_SIGN_INS' } });
  const answer = Response.json({ code: 'MANY_SIGN_INS' }, { status: 429, headers: { 'x-retry-after': '2' } });
  expect(await (await rewriteRefusal(answer)).json()).toEqual({
    code: 'RATE_LIMITED',
    message: 'Many people are signing in. Try again in 2 seconds.',
  });
  await Promise.all(hashes);
});

it('begins two sign-ins at once, and refuses a flood of many networks at once, but not who asks once', async () => {
  const inLine = signInLine();
  const open = Promise.withResolvers<Response>();
  let begun = 0;
  const start = (network: string) =>
    inLine(network, () => {
      begun += 1;
      return open.promise.then((answer) => answer.clone());
    });
  const flood = Array.from({ length: 800 }, (_, n) => start(`network ${n % 40}`));
  await pause();
  const honest = start('honest');
  await pause();
  expect(begun).toBe(2);
  open.resolve(Response.json({}));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(785);
  expect((await honest).status).toBe(200);
});

it('begins the sign-in of a network that has asked once before those that wait of a flood', async () => {
  const inLine = signInLine();
  const running: PromiseWithResolvers<Response>[] = [];
  const begun: string[] = [];
  const start = (network: string) =>
    inLine(network, () => {
      begun.push(network);
      running.push(Promise.withResolvers<Response>());
      return running.at(-1)!.promise;
    });
  const flood = Array.from({ length: 20 }, (_, n) => start(`network ${n % 10}`));
  const honest = start('honest');
  await pause();
  running[0]!.resolve(Response.json({}));
  await pause();
  expect(begun.slice(2)).toEqual(['honest']);
  // Each of the others begins when one ends.
  for (let n = 1; n < running.length; n += 1) {
    running[n]!.resolve(Response.json({}));
    await pause();
  }
  await Promise.all([...flood, honest]);
});

it('counts the sign-ins of a network for a minute, also while some always run', async () => {
  const clock = new TestClock();
  const inLine = signInLine(clock);
  const open = Promise.withResolvers<Response>();
  const start = (network: string) => inLine(network, () => open.promise.then((answer) => answer.clone()));
  const office = Array.from({ length: 5 }, () => start('office'));
  await clock.advance(61_000);
  const flood = Array.from({ length: 30 }, (_, n) => start(`network ${n % 15}`));
  office.push(start('office'));
  open.resolve(Response.json({}));
  expect((await Promise.all(office)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect((await Promise.all(flood)).some(({ status }) => status === 429)).toBe(true);
});
