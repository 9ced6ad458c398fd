import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { routes } from '#libs/contract/routes/table.js';
import { interceptorsOf } from './route.js';
import { BulkheadInterceptor, isSearch, RequestBulkhead } from './request-bulkhead.js';

/** A request of a user, or of an address without a user, which ends when it is told to. */
function start(bulkhead: BulkheadInterceptor, userId: string | null, { query = {}, ip = '' } = {}) {
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

const forReads = (isOutside?: typeof isSearch) =>
  new BulkheadInterceptor(
    new RequestBulkhead({ atOnce: 6, perAddress: 5, perCaller: 4, waitingPerCaller: 40 }),
    isOutside,
  );

const settle = () => new Promise(setImmediate);

it('gives one user some of the reads at work, and refuses reads when many of them wait', async () => {
  const bulkhead = forReads();
  const reads = Array.from({ length: 50 }, () => start(bulkhead, 'ada'));
  const refused = reads.slice(44);
  for (const { answer } of refused)
    await expect(answer).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  expect(reads.filter(({ hasBegun }) => hasBegun)).toHaveLength(4);

  const bob = Array.from({ length: 3 }, () => start(bulkhead, 'bob', { ip: '192.0.2.1' }));
  await settle();
  expect(bob.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false]);
  reads[0]!.end();
  expect(await reads[0]!.answer).toBe('read');
  await settle();
  // Bob's third read was in line before Ada's next one.
  expect(bob[2]!.hasBegun).toBe(true);
  for (const { end } of [...reads, ...bob]) end();
  await Promise.all([...reads.slice(0, 44), ...bob].map(({ answer }) => answer));
});

it('leaves a read at work to others, however many accounts one address has', async () => {
  const bulkhead = forReads();
  const reads = Array.from({ length: 8 }, (_, i) => start(bulkhead, `account ${i}`, { ip: '192.0.2.1' }));
  const bob = start(bulkhead, 'bob', { ip: '192.0.2.2' });
  await settle();
  expect(reads.filter(({ hasBegun }) => hasBegun)).toHaveLength(5);
  expect(bob.hasBegun).toBe(true);
  for (const { end } of [...reads, bob]) end();
  await Promise.all([...reads, bob].map(({ answer }) => answer));
});

it('lets searches pass where they have limits of their own, but nothing else that looks like one', async () => {
  const bulkhead = forReads(isSearch);
  const reads = Array.from({ length: 4 }, () => start(bulkhead, 'ada'));
  const others = ['', '  ', ['a', 'b']].map((search) => start(bulkhead, 'ada', { query: { search } }));
  const search = start(bulkhead, 'ada', { query: { search: 'harbour' } });
  await settle();
  expect(search.hasBegun).toBe(true);
  expect(others.map(({ hasBegun }) => hasBegun)).toEqual([false, false, false]);
  for (const { end } of [...reads, ...others, search]) end();
  await Promise.all([...reads, ...others].map(({ answer }) => answer));
});

it('limits reads with a parameter that they do not have, and writes', async () => {
  const atWork = async (name: keyof typeof routes, query = {}) => {
    const [interceptor] = interceptorsOf(routes[name]);
    const requests = Array.from({ length: 10 }, () => start(interceptor!, `user of ${name}`, { query }));
    await settle();
    const begun = requests.filter(({ hasBegun }) => hasBegun).length;
    for (const { end } of requests) end();
    await Promise.all(requests.map(({ answer }) => answer));
    return begun;
  };
  for (const name of ['listCreationVersions', 'listJobs', 'getSharedText'] as const)
    expect([name, await atWork(name, { search: 'x' })]).toEqual([name, 2]);
  expect(await atWork('listCreations', { search: 'x' })).toBe(10);
  const [interceptor] = interceptorsOf(routes.listJobs);
  const accounts = Array.from({ length: 8 }, (_, n) => start(interceptor!, `account ${n}`));
  await settle();
  expect(accounts.filter(({ hasBegun }) => hasBegun)).toHaveLength(5);
  for (const { end } of accounts) end();
  await Promise.all(accounts.map(({ answer }) => answer));
  for (const name of ['renameCreation', 'deleteCreation', 'createBatch', 'toggleLike'] as const)
    expect([name, await atWork(name)]).toEqual([name, 2]);
});

it('limits no requests that wait for uploads, jobs or other services', () => {
  for (const name of ['submitJob', 'createFlow', 'sendBatchItem', 'retryJob', 'takeStripeEvent'] as const)
    expect([name, interceptorsOf(routes[name])]).toEqual([name, []]);
});

it('refuses the reads of an address that has not read 8 MB of answers', async () => {
  const bulkhead = forReads();
  const ask = async (ip: string) => {
    const one = start(bulkhead, null, { ip });
    one.end();
    await one.answer;
    return one.response;
  };
  const first = await ask('192.0.2.1');
  first.writableLength = 8 * 2 ** 20;
  first.write(Buffer.alloc(2 ** 20));
  const refused = start(bulkhead, null, { ip: '192.0.2.1' });
  await expect(refused.answer).rejects.toThrow('Earlier answers to you are not read yet.');
  await ask('198.51.100.1');
  first.emit('close');
  await ask('192.0.2.1');
});
