import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createAdapter as createPostgresAdapter } from '@socket.io/postgres-adapter';
import { createAdapter as createRedisAdapter } from '@socket.io/redis-streams-adapter';
import type { Cluster, Redis } from 'ioredis';
import pg from 'pg';
import { Server } from 'socket.io';
import type { QueueConfig } from '#libs/config/environment.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import { connectRedis } from '#libs/redis/connect-redis.js';
import { processEvents, type LiveEvents, type ProcessEvents } from './live-events.js';

/** What a socket carries beside its connection. */
export interface SocketData {
  userId: string;
  sessionId: string;
  /** When the socket's token ends, in seconds since 1970. */
  expiresAt: number;
}

export type LiveServer = Server<ClientEvents, ServerEvents, ProcessEvents, SocketData>;

export interface SocketServerOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
}

/** Milliseconds that closing waits for a connection in the making; a database that hangs may never give it. */
const SETTLES_WITHIN_MS = 2_000;

/**
 * A socket.io server joined to those of all other processes by an adapter over Redis or PostgreSQL. The api attaches
 * it to its HTTP server; a worker never does, and only publishes.
 */
export class SocketServer implements LiveEvents {
  readonly io: LiveServer;
  private readonly heard = new EventEmitter();

  private constructor(
    io: LiveServer,
    /** Resolves once the adapter is not in the middle of connecting. */
    private readonly settled: () => Promise<unknown>,
    private readonly disconnect: () => Promise<void>,
  ) {
    this.io = io;
    this.heard.setMaxListeners(0);
    for (const event of processEvents) io.on(event, (id) => this.heard.emit(event, id));
  }

  static create({ config, databaseUrl, onError }: SocketServerOptions): SocketServer {
    const io: LiveServer = new Server({ serveClient: false });
    if (config.kind === 'postgres') {
      const { pool, settled } = openPool(databaseUrl, onError);
      io.adapter(createPostgresAdapter(pool, { errorHandler: onError }));
      return new SocketServer(io, settled, () => pool.end());
    }
    const redis = connectRedis(config, { maxRetriesPerRequest: null });
    redis.on('error', onError);
    const copies = rememberCopies(redis);
    io.adapter(createRedisAdapter(redis, { streamName: '{pressroom}:events', onlyPlaintext: true }));
    const settled = () => haveAnswered(redis, copies);
    return new SocketServer(io, settled, async () =>
      [redis, ...copies].forEach((connection) => connection.disconnect()),
    );
  }

  publishToUser<E extends keyof ServerEvents>(
    userId: string,
    event: E,
    ...payload: Parameters<ServerEvents[E]>
  ): void {
    this.io.to(roomOf(userId)).emit(event, ...payload);
  }

  /** Closes all sockets of a user, on every api process. */
  disconnectUser(userId: string): void {
    this.io.in(roomOf(userId)).disconnectSockets(true);
  }

  publish(event: keyof ProcessEvents, id: string): void {
    this.heard.emit(event, id);
    this.io.serverSideEmit(event, id);
  }

  subscribe(event: keyof ProcessEvents, listener: (id: string) => void): () => void {
    this.heard.on(event, listener);
    return () => this.heard.off(event, listener);
  }

  async close(): Promise<void> {
    await Promise.race([
      this.settled().catch(() => undefined),
      sleep(SETTLES_WITHIN_MS, undefined, { ref: false }),
    ]);
    // Where nothing was attached, as in a worker, there is no engine, and socket.io's own close() fails on that.
    const isAttached = (this.io.engine as LiveServer['engine'] | undefined) !== undefined;
    if (isAttached) await this.io.close();
    else await this.io.of('/').adapter.close();
    await this.disconnect();
  }
}

/**
 * The adapter's connections: one listens and one publishes, since with more, events of one job overtake each other.
 * The adapter holds the one that listens and forgets it when it breaks; without what follows here its error would end
 * the process, and its place in the pool would be lost, until nothing could be published any more.
 */
function openPool(databaseUrl: string, onError: (error: Error) => void) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    keepAlive: true,
    application_name: 'pressroom-events',
  });
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_, client) => held.delete(client));
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    client.once('end', () => held.has(client) && client.release(true));
  });
  return { pool, settled: followConnecting(pool) };
}

/**
 * An adapter that is closed while it connects would keep its connection for good, and the pool would never end.
 * @returns what resolves once the connection that the adapter asked for last listens, or could not be had
 */
function followConnecting(pool: pg.Pool): () => Promise<unknown> {
  let connecting: Promise<unknown> = Promise.resolve();
  const connect = pool.connect.bind(pool);
  // Queries of the pool connect with a callback; the adapter alone awaits its connection.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    if (callback) return connect(callback);
    const client = connect();
    connecting = client.then(hasBegunToListen).catch(() => undefined);
    return client;
  }) as typeof pool.connect;
  return () => connecting;
}

/** Resolves behind the queries by which the adapter begins to listen: it sends them as soon as it has its connection. */
async function hasBegunToListen(listener: pg.PoolClient): Promise<void> {
  await nextTurn();
  await listener.query('SELECT 1');
}

/** The adapter reads on copies of its connection, and would let them wait for a Redis that is away after it was closed. */
function rememberCopies(redis: Redis | Cluster): (Redis | Cluster)[] {
  const copies: (Redis | Cluster)[] = [];
  const duplicate = redis.duplicate.bind(redis) as () => Redis | Cluster;
  redis.duplicate = () => {
    const copy = duplicate();
    copies.push(copy);
    return copy as never;
  };
  return copies;
}

/** Resolves when nothing that the adapter asked for as it began waits for a connection: cut off, that would end the process. */
async function haveAnswered(redis: Redis | Cluster, copies: (Redis | Cluster)[]): Promise<void> {
  for (const connection of [...copies, redis]) {
    if (connection.status !== 'ready') await once(connection, 'ready');
  }
  await redis.ping();
}

/** The room that all sockets of one user are in. */
export const roomOf = (userId: string) => `user:${userId}`;
