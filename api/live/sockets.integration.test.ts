import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { STRENGTH } from '../../test/support/attack.ts';
import type { SignedInUser } from '../../test/support/in-process-product.ts';
import { useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { listen, type Listener } from '../../test/platform/listener.ts';

allowTimeForPrograms();

const SOCKETS = 50 * STRENGTH;

const product = useInProcessProduct({ CONNECTIONS_PER_ADDRESS: '300', RATE_LIMIT_REQUESTS: '400' });
let mallory: SignedInUser;
let bob: SignedInUser;

beforeAll(async () => {
  [mallory, bob] = [await product.signUp('Mallory'), await product.signUp('Bob')];
});

const open = (client: SignedInUser) =>
  listen(product.origin, client.token).catch((error: Error & { data?: unknown }) => error);

describe('sockets', () => {
  it('are limited to twenty per user, with a code and a time to wait', async () => {
    const opened = await Promise.all(Array.from({ length: SOCKETS }, () => open(mallory)));
    const listeners = opened.filter((one): one is Listener => 'socket' in one);
    const refused = opened.filter((one) => one instanceof Error);
    expect(listeners.length).toBeLessThanOrEqual(20);
    expect(refused).toHaveLength(SOCKETS - listeners.length);
    for (const { data } of refused)
      expect(data).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
    const other = await open(bob);
    expect('socket' in other).toBe(true);

    for (const listener of listeners) listener.close();
    const again = await until('room for another', async () => {
      const next = await open(mallory);
      return 'socket' in next && next;
    });
    again.close();
    if ('socket' in other) other.close();
  });

  it('end with their connection if the client disconnects, so that none is left outside the limit', async () => {
    const { socket } = (await open(bob)) as Listener;
    const { engine } = socket.io;
    const closed = new Promise((resolve) => engine.once('close', resolve));
    // The packet of a disconnect, after which the client's library would close the connection itself.
    engine.send('1');
    await closed;
    socket.disconnect();
  });

  it('are closed after thirty messages in a minute, and after one of 16 kB', async () => {
    const send = async (count: number, token: string) => {
      const { socket } = (await open(bob)) as Listener;
      const closed = new Promise((resolve) => socket.io.engine.once('close', resolve));
      for (let n = 0; n < count; n += 1) socket.emit('token', { token }, () => undefined);
      await closed;
      socket.disconnect();
    };
    await send(31, 'forged');
    await send(1, 'x'.repeat(17_000));
  });

  it('are counted by address before they are authenticated', async () => {
    const shake = async () => (await fetch(`${product.origin}/socket.io/?EIO=4&transport=polling`)).status;
    const statuses: number[] = [];
    while (statuses.at(-1) !== 403 && statuses.length < 1_500) statuses.push(await shake());
    expect(statuses.at(-1)).toBe(403);
    // HTTP calls from the same address have their own limit.
    expect((await bob.call('/api/user/account')).status).toBe(200);
  });
});

describe('connections', () => {
  it('stay open longer than a proxy keeps them idle', async () => {
    const { headers } = await bob.call('/api/config');
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });

  it('of one address are limited, and count until they close', async () => {
    const all = Array.from({ length: 400 * STRENGTH }, () => connect(product.config.port, '127.0.0.1'));
    for (const one of all) one.on('error', () => undefined);
    const isOpen = (one: (typeof all)[0]) => !one.destroyed && !one.closed;
    for (const one of all) one.resume();
    await until('the rest to be closed', () => all.filter(isOpen).length <= 300);
    const closed = all.filter(isOpen).map((one) => once(one.destroy(), 'close'));
    await Promise.all(closed);
    await until('a connection to be free', () =>
      bob.call('/api/user/account').then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
});
