import { EventEmitter } from 'node:events';
import { createAdapter as createPostgresAdapter } from '@socket.io/postgres-adapter';
import { createAdapter as createRedisAdapter } from '@socket.io/redis-streams-adapter';
import pg from 'pg';
import { Server } from 'socket.io';
import type { QueueConfig } from '#libs/config/environment.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import { connectRedis } from '#libs/queue/job-queue.js';
import type { LiveEvents, ProcessEvents } from './live-events.js';

/** What a socket carries beside its connection. */
export interface SocketData {
  personId: string;
  /** When the socket's token ends, in seconds since 1970. */
  expiresAt: number;
}

export type LiveServer = Server<ClientEvents, ServerEvents, ProcessEvents, SocketData>;

export interface SocketServerOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
}

/**
 * A socket.io server joined to those of all other processes by an adapter over Redis or PostgreSQL. The api attaches
 * it to its HTTP server; a worker never does, and only publishes.
 */
export class SocketServer implements LiveEvents {
  readonly io: LiveServer;
  private readonly heard = new EventEmitter();

  private constructor(
    io: LiveServer,
    private readonly disconnect: () => Promise<void>,
  ) {
    this.io = io;
    this.heard.setMaxListeners(0);
    for (const event of ['job:ended', 'job:cancelled'] as const) {
      io.on(event, (jobId) => this.heard.emit(event, jobId));
    }
  }

  static create({ config, databaseUrl, onError }: SocketServerOptions): SocketServer {
    const io: LiveServer = new Server({ serveClient: false });
    if (config.kind === 'postgres') {
      // One connection listens and one publishes: with more, events of one job overtake each other.
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, keepAlive: true, application_name: 'pressroom-events' });
      pool.on('error', onError);
      // The adapter holds one connection to listen on, and the pool watches only those that nobody holds.
      pool.on('connect', (client) => client.on('error', onError));
      io.adapter(createPostgresAdapter(pool, { errorHandler: onError }));
      return new SocketServer(io, () => pool.end());
    }
    const redis = connectRedis(config, { maxRetriesPerRequest: null });
    redis.on('error', onError);
    io.adapter(createRedisAdapter(redis, { streamName: '{pressroom}:events', onlyPlaintext: true }));
    return new SocketServer(io, () => Promise.resolve(redis.disconnect()));
  }

  toPerson<E extends keyof ServerEvents>(personId: string, event: E, ...payload: Parameters<ServerEvents[E]>): void {
    this.io.to(roomOf(personId)).emit(event, ...payload);
  }

  tell(event: keyof ProcessEvents, jobId: string): void {
    this.heard.emit(event, jobId);
    this.io.serverSideEmit(event, jobId);
  }

  hear(event: keyof ProcessEvents, listener: (jobId: string) => void): () => void {
    this.heard.on(event, listener);
    return () => this.heard.off(event, listener);
  }

  async close(): Promise<void> {
    // Where nothing was attached, as in a worker, there is no engine, and socket.io's own close() fails on that.
    const isAttached = (this.io.engine as LiveServer['engine'] | undefined) !== undefined;
    if (isAttached) await this.io.close();
    else await this.io.of('/').adapter.close();
    await this.disconnect();
  }
}

/** The room that all sockets of one person are in. */
export const roomOf = (personId: string) => `person:${personId}`;
