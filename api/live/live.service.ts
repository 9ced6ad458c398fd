import type { IncomingMessage, Server as HttpServer } from 'node:http';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Socket } from 'socket.io';
import { EndedSessions } from '#libs/accounts/ended-sessions.js';
import { TOKEN_VERIFIER, type Identity, type TokenVerifier } from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import { AppError } from '#libs/contract/errors.js';
import { roomOf, SocketServer, type SocketData } from '#libs/events/socket-server.js';
import { QueuePositions, type UserQueuePosition } from '#libs/jobs/queue-positions.js';
import { Drain } from '../http/drain.js';

type Acknowledge = Parameters<ClientEvents['token']>[1];
type LiveSocket = Socket<ClientEvents, ServerEvents, object, SocketData>;

/** Seconds before a socket's token ends at which a new one is asked for. */
const RENEW_BEFORE = 60;
/** Milliseconds in which the pages of a session that ended may find that out and say so themselves. */
const ENDS_AFTER = 2_000;

const SOCKETS = '/socket.io';

/** Milliseconds between two looks at the places of waiting jobs. */
const POSITIONS_EVERY = 2_000;

/** Lets users's sockets in, keeps their tokens fresh, and tells them their place in the queue. */
@Injectable()
export class LiveService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Live');
  private readonly timers = new Map<string, NodeJS.Timeout[]>();
  private readonly told = new Map<string, string>();
  private positionsTimer: NodeJS.Timeout | undefined;
  private isPublishingPositions = false;
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly server: SocketServer,
    private readonly adapterHost: HttpAdapterHost,
    private readonly users: Users,
    private readonly places: QueuePositions,
    private readonly drain: Drain,
    private readonly endedSessions: EndedSessions,
    @Inject(TOKEN_VERIFIER) private readonly tokens: TokenVerifier,
  ) {}

  onApplicationBootstrap(): void {
    const { io } = this.server;
    this.unsubscribe = this.server.subscribe('session:ended', (id) => {
      setTimeout(() => this.end(id), ENDS_AFTER).unref();
    });
    io.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => next(refusal(error)),
      );
    });
    io.on('connection', (socket) => this.welcome(socket));
    const http = this.adapterHost.httpAdapter.getHttpServer() as HttpServer;
    io.attach(http, { path: SOCKETS });
    upgradeSocketsAlone(http);
    this.positionsTimer = setInterval(() => void this.publishPositions(), POSITIONS_EVERY);
  }

  /**
   * Closes the connections of this process alone, without the word of a server that wants no socket any more: clients
   * then come back by themselves, to another process, since this one takes no connection from here on.
   */
  onModuleDestroy(): void {
    this.drain.begin();
    this.unsubscribe();
    clearInterval(this.positionsTimer);
    for (const timers of this.timers.values()) timers.forEach(clearTimeout);
    this.server.io.engine.close();
  }

  private async admit(socket: LiveSocket): Promise<void> {
    const identity = await this.verify((socket.handshake.auth as { token?: unknown }).token);
    await this.users.ensureUser(identity);
    const { userId, sessionId, expiresAt } = identity;
    socket.data = { userId, sessionId, expiresAt };
    await socket.join(roomOf(identity.userId));
  }

  /** From now on no token of a session is good here, and no socket of it is open. */
  private end(sessionId: string): void {
    this.endedSessions.add(sessionId);
    for (const socket of this.server.io.sockets.sockets.values())
      if (socket.data.sessionId === sessionId) socket.disconnect(true);
  }

  private async verify(token: unknown): Promise<Identity> {
    return this.tokens.verify(typeof token === 'string' ? token : '');
  }

  private welcome(socket: LiveSocket): void {
    // It was let in while the others were sent away.
    if (this.drain.hasBegun || this.endedSessions.has(socket.data.sessionId))
      return void socket.disconnect(true);
    this.watchExpiry(socket);
    // What a client sends may be anything: an error thrown in here would end the process.
    socket.on('token', (renewal: unknown, acknowledge: unknown) => {
      void this.renew(socket, (renewal as { token?: unknown } | null | undefined)?.token).then((success) => {
        if (typeof acknowledge === 'function') (acknowledge as Acknowledge)({ success });
      });
    });
    socket.on('disconnect', () => this.forgetTimers(socket));
  }

  private async renew(socket: LiveSocket, token: unknown): Promise<boolean> {
    try {
      const identity = await this.verify(token);
      if (identity.userId !== socket.data.userId) return false;
      socket.data.expiresAt = identity.expiresAt;
      socket.data.sessionId = identity.sessionId;
      this.watchExpiry(socket);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) this.logger.error(error);
      return false;
    }
  }

  /** Asks for a new token shortly before the present one ends, and closes the socket when none came. */
  private watchExpiry(socket: LiveSocket): void {
    this.forgetTimers(socket);
    const left = Math.max(socket.data.expiresAt - Date.now() / 1000, 0);
    // A hosted account's token lives no longer than that: it is asked for at half of its life.
    const ask = Math.max(left - RENEW_BEFORE, left / 2);
    this.timers.set(socket.id, [
      setTimeout(() => socket.emit('token:expiring', { seconds: Math.round(left - ask) }), ask * 1000),
      setTimeout(() => socket.disconnect(true), left * 1000),
    ]);
  }

  private forgetTimers(socket: LiveSocket): void {
    this.timers.get(socket.id)?.forEach(clearTimeout);
    this.timers.delete(socket.id);
  }

  /** Tells this process's own sockets the places that changed since it last told them. */
  private async publishPositions(): Promise<void> {
    if (this.isPublishingPositions) return;
    this.isPublishingPositions = true;
    const users = new Set([...this.server.io.sockets.sockets.values()].map((socket) => socket.data.userId));
    try {
      const waiting = await this.places.ofUsers([...users]);
      for (const place of waiting) this.publishPosition(place);
      const ids = new Set(waiting.map(({ id }) => id));
      for (const id of this.told.keys()) if (!ids.has(id)) this.told.delete(id);
    } catch (error) {
      this.logger.warn(`Places could not be read: ${(error as Error).message}`);
    } finally {
      this.isPublishingPositions = false;
    }
  }

  private publishPosition({ id, userId, position, etaSeconds }: UserQueuePosition): void {
    const place = `${position}/${etaSeconds}`;
    if (this.told.get(id) === place) return;
    this.told.set(id, place);
    this.server.io.local.to(roomOf(userId)).emit('job:position', { id, position, etaSeconds });
  }
}

/**
 * Answers a call that offers another protocol as the call that it is. Clients such as Java's offer HTTP/2 on each first
 * call; Node hands all offers to whoever listens for any, and socket.io closes those that are not for it.
 */
function upgradeSocketsAlone(server: HttpServer): void {
  const shouldUpgradeCallback = ({ url, headers }: IncomingMessage) =>
    url!.startsWith(`${SOCKETS}/`) && headers.upgrade?.toLowerCase() === 'websocket';
  // An option of `createServer`, which Nest does not pass on; the server asks its own property.
  Object.assign(server, { shouldUpgradeCallback });
}

/** What a refused socket is told: the same code and words as over HTTP. */
function refusal(error: unknown): Error {
  const known =
    error instanceof AppError
      ? error
      : new AppError('UNAVAILABLE', 'The server cannot check your session now. Try again shortly.');
  return Object.assign(new Error(known.code), { data: { code: known.code, message: known.message } });
}
