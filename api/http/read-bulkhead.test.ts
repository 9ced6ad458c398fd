import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { ReadBulkhead } from './read-bulkhead.js';
import { UnsentAnswers } from './unsent-answers.js';

/** A read of a user, or of an address without a user, which ends when it is told to. */
function start(bulkhead: ReadBulkhead, userId: string | null, { query = {}, ip = '' } = {}) {
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
  state.answer = firstValueFrom(bulkhead.intercept(context, handler)) as Promise<string>;
  return state;
}

const settle = () => new Promise(setImmediate);

it('gives one user some of the reads at work, and refuses reads when many of them wait', async () => {
  const bulkhead = new ReadBulkhead(new UnsentAnswers());
  const reads = Array.from({ length: 110 }, () => start(bulkhead, 'ada'));
  const refused = reads.slice(104);
  for (const { answer } of refused)
    await expect(answer).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(reads.filter(({ hasBegun }) => hasBegun)).toHaveLength(4);

  const bob = [start(bulkhead, 'bob'), start(bulkhead, 'bob'), start(bulkhead, 'bob')];
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
  const bulkhead = new ReadBulkhead(new UnsentAnswers());
  const reads = Array.from({ length: 10 }, () => start(bulkhead, 'ada'));
  const search = start(bulkhead, 'ada', { query: { search: 'harbour' } });
  await settle();
  expect(search.hasBegun).toBe(true);
  for (const { end } of [...reads, search]) end();
  await Promise.all(reads.map(({ answer }) => answer));
});

it('refuses the reads of an address that has not read 8 MB of answers', async () => {
  const bulkhead = new ReadBulkhead(new UnsentAnswers());
  const ask = async (ip: string) => {
    const one = start(bulkhead, null, { ip });
    one.end();
    await one.answer;
    return one.response;
  };
  const first = await ask('192.0.2.1');
  first.writableLength = 8 * 2 ** 20;
  first.write(Buffer.alloc(2 ** 20));
  expect(() => start(bulkhead, null, { ip: '192.0.2.1' })).toThrow(
    'Earlier answers to you are not read yet.',
  );
  await ask('198.51.100.1');
  first.emit('close');
  await ask('192.0.2.1');
});
