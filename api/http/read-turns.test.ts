import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { ReadTurns } from './read-turns.js';
import { UnsentAnswers } from './unsent-answers.js';

/** A read of a user, or of an address without a user, which ends when it is told to. */
function start(turns: ReadTurns, userId: string | null, { query = {}, ip = '' } = {}) {
  const work = Promise.withResolvers<string>();
  const response = Object.assign(new EventEmitter(), {
    ...{ closed: false, writableLength: 0 },
    write: (chunk: Uint8Array) => chunk.length > 0,
    end: () => undefined,
  });
  const state = {
    response,
    hasBegun: false,
    end: () => work.resolve('read'),
    answer: Promise.resolve(''),
  };
  const handler: CallHandler<string> = {
    handle: () => {
      state.hasBegun = true;
      return from(work.promise);
    },
  };
  const context = {
    switchToHttp: () => ({
      getRequest: () => ({ ...(userId && { caller: { userId } }), query, ip }),
      getResponse: () => response,
    }),
  } as unknown as ExecutionContext;
  state.answer = firstValueFrom(turns.intercept(context, handler)) as Promise<string>;
  return state;
}

const settle = () => new Promise(setImmediate);

it('gives one user some of the turns, and refuses reads when many of them wait', async () => {
  const turns = new ReadTurns(new UnsentAnswers());
  const reads = Array.from({ length: 110 }, () => start(turns, 'ada'));
  const refused = reads.slice(104);
  for (const { answer } of refused)
    await expect(answer).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(reads.filter(({ hasBegun }) => hasBegun)).toHaveLength(4);

  const bob = [start(turns, 'bob'), start(turns, 'bob'), start(turns, 'bob')];
  await settle();
  expect(bob.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false]);
  reads[0]!.end();
  expect(await reads[0]!.answer).toBe('read');
  await settle();
  // Bob's third read was in line before Ada's next one.
  expect(bob[2]!.hasBegun).toBe(true);
  for (const { end } of [...reads, ...bob]) end();
  await Promise.all([...reads.slice(0, 104), ...bob].map(({ answer }) => answer));
});

it('lets searches pass, which have limits of their own', async () => {
  const turns = new ReadTurns(new UnsentAnswers());
  const reads = Array.from({ length: 10 }, () => start(turns, 'ada'));
  const search = start(turns, 'ada', { query: { search: 'harbour' } });
  await settle();
  expect(search.hasBegun).toBe(true);
  for (const { end } of [...reads, search]) end();
  await Promise.all(reads.map(({ answer }) => answer));
});

it('refuses the reads of an address that has not read 8 MB of answers', async () => {
  const turns = new ReadTurns(new UnsentAnswers());
  const ask = async (ip: string) => {
    const one = start(turns, null, { ip });
    one.end();
    await one.answer;
    return one.response;
  };
  const first = await ask('192.0.2.1');
  first.writableLength = 8 * 2 ** 20;
  first.write(Buffer.alloc(2 ** 20));
  expect(() => start(turns, null, { ip: '192.0.2.1' })).toThrow('Earlier answers to you are not read yet.');
  await ask('198.51.100.1');
  first.emit('close');
  await ask('192.0.2.1');
});
