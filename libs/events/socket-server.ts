import { EventEmitter, once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createAdapter as createPostgresAdapter } from '@socket.io/postgres-adapter';
import { createAdapter as createRedisAdapter } from '@socket.io/redis-streams-adapter';
import { Cluster, type Redis } from 'ioredis';
import { Server, type ServerOptions, type Socket } from 'socket.io';
import type { QueueConfig } from '#libs/config/environment.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import { connectRedisWithDuplicates, connectSubscriber } from '#libs/redis/connect-redis.js';
import { settleWithin, waitForClose } from '#libs/resilience/policies.js';
import { AdapterPool } from './adapter-pool.js';
import { processEvents, type LiveEvents, type ProcessEvents, type UserListener } from './live-events.js';
import { readStreamWith } from './stream-reader.js';
import { UserChannels, type PublishingAdapter } from './user-channels.js';

export interface SocketData {
  userId: string;
  sessionId: string;
  /** Expiry of the socket's token, in seconds since 1970. */
  expiresAt: number;
}

export type LiveServer = Server<ClientEvents, ServerEvents, ProcessEvents, SocketData>;

export interface SocketServerOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
  collectMissedMs?: number;
}

const STREAM = '{pressroom}:events';
/** The slot of a cluster that has {@link STREAM} (`CLUSTER KEYSLOT`). */
const STREAM_SLOT = 6332;
/** Milliseconds for which Redis keeps an event, for processes that read it late. */
const EVENT_MILLISECONDS = 30_000;

/** Milliseconds that a new socket waits for its user's channel. If Redis is down, it is closed once Redis is back. */
const SUBSCRIBE_WITHIN = 1_000;

/** Milliseconds for which calls of several connections are collected: one outage concerns all of them. */
const COLLECT_MISSED_MS = 1_000;

const EVENTS_MISSED = 'events:missed';
/** Prefix in `listeners` that separates events to users from events between processes. */
const TO_USER = 'to-user:';

interface AdapterConnections {
  isReceiving(): boolean;
  /** Resolves when no connection is being opened. */
  settled(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * A socket.io server. An adapter connects the servers of all processes by Redis or PostgreSQL. The api attaches its server
 * to its HTTP server; a worker's server only publishes.
 */
export class SocketServer implements LiveEvents {
  private constructor(
    readonly io: LiveServer,
    private readonly listeners: EventEmitter,
    private readonly missed: CollectedCalls,
    private readonly connections: AdapterConnections,
    private readonly deletePast: () => Promise<unknown>,
    private readonly onAttach: () => void = () => undefined,
    private readonly channels?: UserChannels,
  ) {
    this.listeners.setMaxListeners(0);
    if (channels) {
      const { adapter } = io.of('/');
      adapter.on('create-room', (room: string) => isUserRoom(room) && channels.join(room));
      adapter.on('delete-room', (room: string) => isUserRoom(room) && channels.leave(room));
    }
    for (const event of processEvents) io.on(event, (id) => this.listeners.emit(event, id));
    onBroadcast(io, (rooms, event, ...payload) => {
      this.listeners.emit(`${TO_USER}${event}`, ...payload);
      for (const room of rooms) this.listeners.emit(room, event, ...payload);
    });
  }

  static create({
    config,
    databaseUrl,
    onError,
    collectMissedMs = COLLECT_MISSED_MS,
  }: SocketServerOptions): SocketServer {
    const io: LiveServer = new Server({ serveClient: false });
    const listeners = new EventEmitter();
    const missed = collectCalls(collectMissedMs, () => void listeners.emit(EVENTS_MISSED));
    const onMissed = missed.add;
    if (config.kind === 'postgres') {
      const pool = new AdapterPool(databaseUrl, { onError, onListeningAgain: onMissed });
      io.adapter(createPostgresAdapter(pool.forAdapter(), { errorHandler: onError }));
      const connections = {
        isReceiving: () => pool.isListening,
        settled: () => pool.settled,
        close: () => closePool(pool),
      };
      // Nothing to do, because the PostgreSQL adapter itself deletes its rows after 30 seconds.
      const deletePast = () => Promise.resolve();
      return new SocketServer(io, listeners, missed, connections, deletePast);
    }
    const redis = connectRedisWithDuplicates(config, {
      maxRetriesPerRequest: null,
      enableAutoPipelining: true,
    });
    redis.on('error', onError);
    io.adapter(
      createRedisAdapter(redis, {
        // Only processes of version 0.2 write events to users to the stream; others use UserChannels.
        streamName: STREAM,
        onlyPlaintext: true,
        // No timeout for the first read: it reads events after its own start, so a repeated read would miss events in
        // between.
        blockTimeInMs: 0,
      }),
    );
    const subscriber = connectSubscriber(config, redis);
    subscriber.on('error', () => undefined);
    // The adapter reads the stream on the first connection that it duplicates.
    const reader = redis.duplicates[0]!;
    // A node of a cluster that replaces another may lack the latest entries of the stream.
    for (const event of ['ready', '+node', '-node']) reader.on(event, onMissed);
    const { promise: attached, resolve: onAttach } = Promise.withResolvers<void>();
    const adapter = io.of('/').adapter as unknown as PublishingAdapter;
    const channels = new UserChannels({ subscriber, isUserRoom, onSubscribed: onMissed, onError });
    channels.connect(adapter, redis);
    readStreamWith(reader, { begins: attached, ownUid: () => adapter.uid });
    return new SocketServer(
      io,
      listeners,
      missed,
      {
        isReceiving: () => readsStream(reader),
        settled: () => allReady([...redis.duplicates, redis]),
        close: async () =>
          [subscriber, ...redis.duplicates, redis].forEach((connection) => connection.disconnect()),
      },
      async () => redis.xtrim(STREAM, 'MINID', (await millisecondsOf(redis)) - EVENT_MILLISECONDS),
      onAttach,
      channels,
    );
  }

  /** Accepts sockets on an HTTP server. Only from now on, this process reads other processes' events to users. */
  attach(http: HttpServer, options: Partial<ServerOptions> = {}): void {
    // Before there are sockets: the connections of the start must not close the first ones a second later.
    this.missed.run();
    this.io.attach(http, options);
    this.onAttach();
  }

  /** Sends a user's events to a socket. Resolves once this process gets what other processes publish to the user. */
  async joinUser(socket: Pick<Socket, 'join'>, userId: string): Promise<void> {
    await socket.join(roomOf(userId));
    await this.subscribed(userId);
  }

  /** Resolves once this process gets what other processes publish to a user who has a socket or listener here. */
  async subscribed(userId: string): Promise<void> {
    await settleWithin(SUBSCRIBE_WITHIN, async () => this.channels?.subscribed(roomOf(userId))).catch(
      () => undefined,
    );
  }

  publishToUser<E extends keyof ServerEvents>(
    userId: string,
    event: E,
    ...payload: Parameters<ServerEvents[E]>
  ): void {
    this.io.to(roomOf(userId)).emit(event, ...payload);
    this.listeners.emit(`${TO_USER}${event}`, ...payload);
    this.listeners.emit(roomOf(userId), event, ...payload);
  }

  /**
   * Calls `listener` for each event that any process publishes to this user. Needs {@link attach}.
   * @returns a function that unsubscribes
   */
  subscribeToUser(userId: string, listener: UserListener): () => void {
    const room = roomOf(userId);
    this.listeners.on(room, listener);
    this.channels?.join(room);
    let isSubscribed = true;
    return () => {
      if (isSubscribed) this.channels?.leave(room);
      isSubscribed = false;
      this.listeners.off(room, listener);
    };
  }

  onPublishedToUser<E extends keyof ServerEvents>(
    event: E,
    listener: (...payload: Parameters<ServerEvents[E]>) => void,
  ): () => void {
    this.listeners.on(`${TO_USER}${event}`, listener);
    return () => this.listeners.off(`${TO_USER}${event}`, listener);
  }

  disconnectUser(userId: string): void {
    this.io.in(roomOf(userId)).disconnectSockets(true);
  }

  publish(event: keyof ProcessEvents, id: string): void {
    this.listeners.emit(event, id);
    this.io.serverSideEmit(event, id);
  }

  /**
   * Calls `listener` a second after connections that receive events were made or restored. Events before may have been missed.
   */
  onEventsMissed(listener: () => void): () => void {
    this.listeners.on(EVENTS_MISSED, listener);
    return () => this.listeners.off(EVENTS_MISSED, listener);
  }

  /** Whether the connection that receives events of other processes is up. */
  get isReceiving(): boolean {
    return this.connections.isReceiving();
  }

  /** Deletes old events, because they contain users' texts. Every process has read them by then. */
  async deletePastEvents(): Promise<void> {
    await this.deletePast();
  }

  subscribe(event: keyof ProcessEvents, listener: (id: string) => void): () => void {
    this.listeners.on(event, listener);
    return () => this.listeners.off(event, listener);
  }

  async close(): Promise<void> {
    this.missed.cancel();
    // With a timeout, because a connection to a hanging database may never open.
    await waitForClose(() => this.connections.settled());
    // Without an HTTP server, as in a worker, `io.close()` fails, so close the adapter only.
    const isAttached = (this.io.engine as LiveServer['engine'] | undefined) !== undefined;
    if (isAttached) await this.io.close();
    else await this.io.of('/').adapter.close();
    await this.connections.close();
  }
}

interface CollectedCalls {
  add: () => void;
  /** Runs at once if there was a call. */
  run: () => void;
  cancel: () => void;
}

/** Runs once for all calls within some milliseconds after the first. */
function collectCalls(milliseconds: number, onCalls: () => void): CollectedCalls {
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    if (timer === undefined) return;
    cancel();
    onCalls();
  };
  return { add: () => void (timer ??= setTimeout(run, milliseconds).unref()), run, cancel };
}

type EventWithPayload = [event: string, ...payload: unknown[]];

/**
 * A message of an adapter. For an event to sockets, `packet` has a `data`; for an event between processes, it is an array.
 */
interface AdapterMessage {
  data?: { packet?: { data: EventWithPayload } | EventWithPayload; opts?: { rooms?: string[] } };
}

/** Calls `listener` for each event to sockets from another process, after this process has sent it to its own sockets. */
function onBroadcast(
  io: LiveServer,
  listener: (rooms: string[], event: string, ...payload: unknown[]) => void,
): void {
  const adapter = io.of('/').adapter as unknown as {
    onMessage: (message: AdapterMessage, offset?: string) => unknown;
  };
  const onMessage = adapter.onMessage.bind(adapter);
  adapter.onMessage = (message, offset) => {
    const answer = onMessage(message, offset);
    const packet = message.data?.packet;
    if (packet && 'data' in packet) listener(message.data?.opts?.rooms ?? [], ...packet.data);
    return answer;
  };
}

async function closePool(pool: AdapterPool): Promise<void> {
  await waitForClose(() => pool.published);
  await waitForClose(() => pool.end());
}

/** Whether a connection to the node that has the stream is up. Other nodes of a cluster do not matter. */
function readsStream(connection: Redis | Cluster): boolean {
  if (!(connection instanceof Cluster)) return connection.status === 'ready';
  const owner = connection.slots[STREAM_SLOT]?.[0];
  return connection
    .nodes('master')
    .some(({ status, options: { host, port } }) => status === 'ready' && `${host}:${port}` === owner);
}

/** Waits for replies to the adapter's first commands. Closing before would reject them unhandled, which ends the process. */
async function allReady(connections: (Redis | Cluster)[]): Promise<void> {
  for (const connection of connections) {
    if (connection.status !== 'ready') await once(connection, 'ready');
  }
  await connections.at(-1)?.ping();
}

/** Reads Redis's clock, from which the ids of events are made. With this machine's clock, recent events might be deleted. */
async function millisecondsOf(redis: Redis | Cluster): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}

const ROOM_OF_USER = 'user:';
export const roomOf = (userId: string) => `${ROOM_OF_USER}${userId}`;
const isUserRoom = (room: string) => room.startsWith(ROOM_OF_USER);
