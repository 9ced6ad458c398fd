import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { io as connect, type Socket } from 'socket.io-client';
import type { JobDelta, ServerEvents } from '#libs/contract/events.js';
import { SocketServer } from './socket-server.js';
import { describeOnBothBackends } from '../../test/support/backends.ts';
import { query } from '../../scripts/stack/query.ts';
import { until } from '../../test/support/until.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

type Client = Socket<ServerEvents>;

describeOnBothBackends('Live events', (backend, kind) => {
  const closing: (() => Promise<unknown> | void)[] = [];
  const errors: Error[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    errors.length = 0;
  });

  /** Creates a socket server without an HTTP server, as in a worker. */
  function publisher(): SocketServer {
    const { config, database } = backend();
    const server = SocketServer.create({
      config,
      databaseUrl: database.url,
      onError: (error) => errors.push(error),
    });
    closing.push(() => server.close());
    return server;
  }

  /** Creates a socket server with an HTTP server, as in an api. Clients send their user id in the handshake. */
  async function api(): Promise<{ server: SocketServer; connect: (userId: string) => Promise<Client> }> {
    const http: HttpServer = createServer();
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
    const { port } = http.address() as AddressInfo;
    const server = publisher();
    server.io.use((socket, next) => {
      void server.joinUser(socket, String(socket.handshake.auth.userId)).then(() => next());
    });
    server.attach(http);
    return {
      server,
      connect: async (userId) => {
        const client: Client = connect(`http://127.0.0.1:${port}`, {
          auth: { userId },
          transports: ['websocket'],
        });
        closing.push(() => void client.disconnect());
        await new Promise<void>((connected) => client.once('connect', connected));
        return client;
      },
    };
  }

  /** Publishes repeatedly until an event arrives, because adapters need a moment to connect. */
  async function joined(from: SocketServer, to: Client, userId: string): Promise<void> {
    let isReceived = false;
    to.once('job:position', () => (isReceived = true));
    await until('an event to cross processes', () => {
      from.publishToUser(userId, 'job:position', {
        ...{ id: 'joined', position: 1, etaSeconds: null },
        waiting: { reason: 'busy', ahead: { premium: 0, own: 0, others: 0 } },
      });
      return isReceived;
    });
    to.off('job:position');
  }

  function deltasOf(client: Client, id: string): JobDelta[] {
    const deltas: JobDelta[] = [];
    client.on('job:delta', (delta) => {
      if (delta.id === id) deltas.push(delta);
    });
    return deltas;
  }

  it('carries a user’s events, in order, from a process without HTTP server to a socket on another', async () => {
    const worker = publisher();
    const client = await (await api()).connect('ada');
    await joined(worker, client, 'ada');
    const deltas = deltasOf(client, 'ordered');

    for (let i = 0; i < 300; i += 1)
      worker.publishToUser('ada', 'job:delta', { id: 'ordered', attempt: 1, offset: i, text: 'x' });

    await until('300 deltas', () => deltas.length >= 300);
    expect(deltas.map(({ offset }) => offset)).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  it('carries payloads of 20 kB whole, beyond what a NOTIFY of PostgreSQL can hold', async () => {
    const worker = publisher();
    const client = await (await api()).connect('ada');
    await joined(worker, client, 'ada');
    const deltas = deltasOf(client, 'large');
    const text = '語🦊a'.repeat(2_500);

    worker.publishToUser('ada', 'job:delta', { id: 'large', attempt: 1, offset: 0, text });

    await until('the large delta', () => deltas.length > 0);
    expect(Buffer.byteLength(text)).toBe(20_000);
    expect(deltas).toEqual([{ id: 'large', attempt: 1, offset: 0, text }]);
  });

  it('reaches all sockets of the user on every process, and no others', async () => {
    const worker = publisher();
    const [here, there] = [await api(), await api()];
    const own = [await here.connect('ada'), await here.connect('ada'), await there.connect('ada')];
    const others = [await here.connect('bob'), await there.connect('adam')];
    for (const client of own) await joined(worker, client, 'ada');
    const received = own.map((client) => deltasOf(client, 'private'));
    const overheard = others.map((client) => deltasOf(client, 'private'));
    const marks = others.map((client) => deltasOf(client, 'mark'));

    worker.publishToUser('ada', 'job:delta', { id: 'private', attempt: 1, offset: 0, text: 'hers alone' });
    for (const userId of ['bob', 'adam'])
      worker.publishToUser(userId, 'job:delta', { id: 'mark', attempt: 1, offset: 0, text: '' });

    await until('every socket to receive its own events', () =>
      [...received, ...marks].every((deltas) => deltas.length === 1),
    );
    expect(overheard).toEqual([[], []]);
  });

  it('reaches every process, including its own, exactly once, until a listener unsubscribes', async () => {
    const servers = [publisher(), publisher(), publisher()];
    const received = servers.map(() => [] as string[]);
    const stops = servers.map((server, i) =>
      server.subscribe('job:ended', (jobId) => received[i]!.push(jobId)),
    );
    await until('the processes to be joined', () => {
      for (const i of [0, 2]) servers[i]!.publish('job:ended', `joined ${i}`);
      return received.every((ids) => ids.includes('joined 0') && ids.includes('joined 2'));
    });

    servers[0]!.publish('job:cancelled', 'not asked for');
    servers[0]!.publish('job:ended', 'first');
    await until('all to receive it', () => received.every((ids) => ids.includes('first')));
    expect(received.map((ids) => ids.filter((id) => !id.startsWith('joined')))).toEqual([
      ['first'],
      ['first'],
      ['first'],
    ]);

    stops[1]!();
    servers[2]!.publish('job:ended', 'later');
    await until(
      'the others to receive it',
      () => received[0]!.includes('later') && received[2]!.includes('later'),
    );
    expect(received[1]).not.toContain('later');
    expect(errors).toEqual([]);
  });

  it('reports events that reached the sockets of a process, published there or by another', async () => {
    const worker = publisher();
    const { server, connect } = await api();
    const client = await connect('ada');
    await joined(worker, client, 'ada');
    const bo = await connect('bo');
    await joined(worker, bo, 'bo');
    const seen: string[] = [];
    const end = server.onPublishedToUser('job:delta', ({ id }) => void seen.push(id));
    const delta = (id: string) => ({ id, attempt: 1, offset: 0, text: 'words' });
    server.publishToUser('ada', 'job:delta', delta('own'));
    worker.publishToUser('bo', 'job:delta', delta('of another user'));
    worker.publishToUser('ada', 'job:delta', delta('of a worker'));
    await until('all of them', () => seen.length === 3);
    expect(seen).toEqual(['own', 'of another user', 'of a worker']);
    end();
    const deltas = deltasOf(client, 'later');
    worker.publishToUser('ada', 'job:delta', delta('later'));
    await until('the socket to have it', () => deltas.length > 0);
    expect(seen).toHaveLength(3);
  });

  it('gives a new socket the events from its connection on; on Redis, its process reads no other user’s', async () => {
    const worker = publisher();
    const [here, there] = [await api(), await api()];
    await joined(worker, await there.connect('ada'), 'ada');
    const read: string[] = [];
    here.server.onPublishedToUser('job:delta', ({ id }) => void read.push(id));
    // A connection that took a second may not be subscribed yet.
    const bo = await until('a fast connection', async () => {
      const begun = performance.now();
      const client = await here.connect('bo');
      return performance.now() - begun < 1_000 && client;
    });
    const deltas = deltasOf(bo, 'first');
    if (kind === 'postgres') await joined(worker, bo, 'bo');
    const delta = { id: 'first', attempt: 1, offset: 0, text: 'words' };
    for (let i = 0; i < 1_000; i += 1) worker.publishToUser('ada', 'job:delta', { ...delta, offset: i });
    worker.publishToUser('bo', 'job:delta', delta);
    await until('the event', () => deltas.length > 0);
    expect(read).toHaveLength(kind === 'redis' ? 1 : 1_001);
  });

  it('recovers from repeated loss of all connections', async () => {
    const worker = publisher();
    const client = await (await api()).connect('ada');
    await joined(worker, client, 'ada');

    // More rounds than the pool has connections, to detect connections that are never released.
    for (let round = 0; round < 4; round += 1) {
      await breakConnections();
      await joined(worker, client, 'ada');
    }
    const deltas = deltasOf(client, 'afterwards');
    worker.publishToUser('ada', 'job:delta', { id: 'afterwards', attempt: 1, offset: 0, text: 'still here' });
    await until('the delta', () => deltas.length > 0);
  });

  it('knows whether it receives events', async () => {
    const server = publisher();
    await until('the connection', () => server.isReceiving);
    let wasDown = false;
    const watch = setInterval(() => (wasDown ||= !server.isReceiving), 1);
    await breakConnections();
    await until('the end of the connection', () => wasDown);
    await until('the connection again', () => server.isReceiving);
    clearInterval(watch);
  });

  async function breakConnections(): Promise<void> {
    const { database, redis } = backend();
    if (redis) return redis.restart();
    await query(
      database.url,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'pressroom-events' AND datname = current_database()`,
    );
  }

  it('close at once, even while connecting', async () => {
    const { database, redis } = backend();
    let atOnce = 0;
    for (let i = 0; i < 5; i += 1) {
      const begun = performance.now();
      await publisher().close();
      // Closing gives up after 500 ms and leaves a connection open. Other work on the machine may delay some of the five.
      const hasGivenUp = performance.now() - begun > 450;
      if (!hasGivenUp) atOnce += 1;
      if (redis) continue;
      if (hasGivenUp) await breakConnections();
      // PostgreSQL notices a moment later that a connection has ended.
      await until('no connection to be left', async () => {
        const left = `SELECT FROM pg_stat_activity WHERE application_name = 'pressroom-events' AND datname = current_database()`;
        return (await query(database.url, left)).rowCount === 0;
      });
      if (hasGivenUp) errors.length = 0;
    }
    closing.length = 0;
    expect(atOnce).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });
});
