import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { RequestQueue } from './request-queue.js';

interface Client {
  token?: string;
  ip?: string;
  /** Its connection; default: a new one for each request. */
  socket?: object;
  closed?: boolean;
}

/** @returns a function that sends requests, and what becomes of them: the name of each that starts, or an answer's status */
function createClients(startsPerIteration = 2) {
  const queue = new RequestQueue(startsPerIteration);
  const outcomes: (string | number)[] = [];
  const send = (name: string, { token, ip = '203.0.113.1', socket = {}, closed = false }: Client = {}) => {
    const request = { headers: token ? { authorization: token } : {}, ip, socket } as Request;
    const response = { closed } as Response;
    void queue.wait(request, response, () =>
      queue.refuse(request, response, (error?: unknown) =>
        outcomes.push(error instanceof AppError ? error.status : name),
      ),
    );
  };
  return { outcomes, send };
}

const nextIteration = () => new Promise(setImmediate);

it('starts few requests in an iteration, from each token in turn', async () => {
  const { outcomes, send } = createClients();
  for (let i = 0; i < 5; i += 1) send('ada', { token: 'a' });
  send('bob', { token: 'b' });
  expect(outcomes).toEqual(['ada', 'ada']);
  await nextIteration();
  expect(outcomes.slice(2)).toEqual(['ada', 'bob']);
  // Behind those that wait.
  send('cy', { token: 'c' });
  await nextIteration();
  expect(outcomes.slice(4)).toEqual(['ada', 'cy']);
  await nextIteration();
  expect(outcomes.slice(6)).toEqual(['ada']);
  await nextIteration();
  send('bob', { token: 'b' });
  expect(outcomes.slice(7)).toEqual(['bob']);
});

it('starts requests from each address in turn, however many tokens it sends', async () => {
  const { outcomes, send } = createClients();
  for (let i = 0; i < 8; i += 1) send('eve', { token: `${i}`, ip: '2001:db8::1' });
  send('bob', { token: 'b', ip: '203.0.113.2' });
  send('bob', { token: 'b', ip: '203.0.113.2' });
  await nextIteration();
  await nextIteration();
  expect(outcomes.slice(2)).toEqual(['eve', 'bob', 'eve', 'bob']);
});

it('refuses requests of a connection of which many wait', async () => {
  const { outcomes, send } = createClients();
  const socket = {};
  for (let i = 0; i < 20; i += 1) send('eve', { socket });
  expect(outcomes).toEqual(['eve', 'eve', 429, 429]);
  await nextIteration();
  send('eve', { socket });
  send('bob', { token: 'b' });
  for (let i = 0; i < 8; i += 1) await nextIteration();
  expect(outcomes.slice(4)).toEqual([
    ...Array<string>(3).fill('eve'),
    'bob',
    ...Array<string>(14).fill('eve'),
  ]);
});

it('keeps the context of a request that waited', async () => {
  const contexts = new AsyncLocalStorage<string>();
  const queue = new RequestQueue(1);
  const started: (string | undefined)[] = [];
  for (const context of ['first', 'second'])
    contexts.run(context, () =>
      queue.wait({ headers: {}, socket: {} } as Request, { closed: false } as Response, () =>
        started.push(contexts.getStore()),
      ),
    );
  await nextIteration();
  expect(started).toEqual(['first', 'second']);
});

it('drops requests whose connection closed while they waited', async () => {
  const { outcomes, send } = createClients();
  for (const closed of [false, false, true]) send('ada', { closed });
  await nextIteration();
  await nextIteration();
  expect(outcomes).toHaveLength(2);
});
