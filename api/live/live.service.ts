import type { IncomingMessage, Server as HttpServer } from 'node:http';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, RequestHandler } from 'express';
import type { Socket } from 'socket.io';
import { EndedSessions } from '#libs/accounts/ended-sessions.js';
import { TOKEN_VERIFIER, type Identity, type TokenVerifier } from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import { AppError, errorStatus } from '#libs/contract/errors.js';
import { roomOf, SocketServer, type SocketData } from '#libs/events/socket-server.js';
import { JobEndRecovery } from '#libs/jobs/job-end-recovery.js';
import { QueuePositions, type UserQueuePosition } from '#libs/scheduling/queue-positions.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { ownOrigins } from '#libs/config/own-origins.js';
import { Drain } from '../http/drain.js';
import { REQUEST_LOG } from '../http/http.module.js';
import { RateLimits } from '../http/rate-limits.js';
import { refuseConnection } from '../http/broken-requests.js';
import type { RequestLogOptions } from '../http/request-log.js';
import { securityHeaders } from '../http/security-headers.js';
import { toAppError } from '../http/to-app-error.js';
import { closeGradually } from './close-gradually.js';
import { limitConnection } from './connection-limits.js';

type Acknowledge = Parameters<ClientEvents['token']>[1];
type LiveSocket = Socket<ClientEvents, ServerEvents, object, SocketData>;

/** Seconds before a token expires at which the client is asked for a new one. */
const RENEW_BEFORE_SECONDS = 60;
/** Milliseconds between the end of a session and closing its sockets, so that its pages can react first. */
const SESSION_END_DELAY_MS = 2_000;

/** Seconds after which a client that was refused for too many windows may retry. */
const SOCKET_RETRY_SECONDS = 60;

const SOCKET_PATH = '/socket.io';
/** A client's message is a token. */
const MESSAGE_MAX_BYTES = 16 * 1024;

/** engine.io's status and code for handshakes that `allowRequest` refuses. */
const [HANDSHAKE_REFUSED, FORBIDDEN] = [403, 4];

const POSITIONS_INTERVAL_MS = 2_000;
const END_RECOVERY_INTERVAL_MS = 5_000;

@Injectable()
export class LiveService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Live');
  private readonly timers = new Map<string, NodeJS.Timeout[]>();
  private readonly publishedPositions = new Map<string, string>();
  private positionsTimer: NodeJS.Timeout | undefined;
  private endRecoveryTimer: NodeJS.Timeout | undefined;
  private isPublishingPositions = false;
  private readonly unsubscribe: (() => void)[] = [];
  private stopClosing: () => void = () => undefined;

  constructor(
    private readonly server: SocketServer,
    private readonly adapterHost: HttpAdapterHost,
    private readonly users: Users,
    private readonly positions: QueuePositions,
    private readonly endRecovery: JobEndRecovery,
    private readonly drain: Drain,
    private readonly endedSessions: EndedSessions,
    private readonly limits: RateLimits,
    @Inject(TOKEN_VERIFIER) private readonly tokens: TokenVerifier,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(REQUEST_LOG) private readonly requestLog: Pick<RequestLogOptions, 'logRefused'>,
  ) {}

  onApplicationBootstrap(): void {
    const { io } = this.server;
    this.unsubscribe.push(
      this.server.subscribe('session:ended', (id) => {
        setTimeout(() => this.end(id), SESSION_END_DELAY_MS).unref();
      }),
      // Clients read the current state when they reconnect, so close all sockets if events were missed.
      this.server.onEventsMissed(() => this.closeAllGradually()),
    );
    io.use((socket, next) => {
      this.authenticate(socket).then(
        () => next(),
        (error: unknown) => {
          const refused = toSocketError(error);
          this.logRefused(socket.request, errorStatus[refused.code], refused.code);
          next(refusal(refused));
        },
      );
    });
    io.on('connection', (socket) => this.accept(socket));
    const http = this.adapterHost.httpAdapter.getHttpServer() as HttpServer;
    this.server.attach(http, {
      path: SOCKET_PATH,
      maxHttpBufferSize: MESSAGE_MAX_BYTES,
      allowRequest: (request, decide) => {
        const refuse = ({ code, message }: AppError) => {
          this.logRefused(request, HANDSHAKE_REFUSED, code);
          decide(message, false);
        };
        if (!this.isOwnPage(request.headers.origin)) return refuse(foreignPage());
        this.limits.countAddress(this.addressOf(request), null, 'handshakes').then(
          () => decide(null, true),
          (error: unknown) => refuse(toAppError(error)),
        );
      },
    });
    // engine.io responds before Express, so its responses need the headers too.
    const setHeaders = [...securityHeaders(this.config), notCached];
    for (const handler of setHeaders) io.engine.use(handler);
    io.engine.on('connection', limitConnection);
    io.engine.on('connection_error', ({ req, code, message }: ConnectionError) => {
      if (code !== FORBIDDEN) this.logRefused(req, 400, 'VALIDATION_FAILED');
      // engine.io's own response to a refused upgrade would lack the security headers.
      if (isUpgrade(req)) refuseConnection(req.socket, 400, { code, message }, setHeaders);
    });
    upgradeOnlySockets(http);
    this.positionsTimer = setInterval(() => void this.publishPositions(), POSITIONS_INTERVAL_MS);
    this.endRecoveryTimer = setInterval(() => void this.recoverJobEnds(), END_RECOVERY_INTERVAL_MS);
  }

  /**
   * Closes all connections without a disconnect packet, so that clients reconnect automatically. They reach another
   * process, since this one no longer accepts connections.
   */
  onModuleDestroy(): void {
    this.drain.begin();
    this.unsubscribe.forEach((unsubscribe) => unsubscribe());
    this.stopClosing();
    clearInterval(this.positionsTimer);
    clearInterval(this.endRecoveryTimer);
    for (const timers of this.timers.values()) timers.forEach(clearTimeout);
    this.server.io.engine.close();
  }

  private async authenticate(socket: LiveSocket): Promise<void> {
    const identity = await this.verify((socket.handshake.auth as { token?: unknown }).token);
    await this.users.ensureUser(identity);
    const { userId, sessionId, expiresAt } = identity;
    socket.data = { userId, sessionId, expiresAt };
    const room = roomOf(identity.userId);
    await this.server.joinUser(socket, identity.userId);
    const socketsOfUser = this.server.io.sockets.adapter.rooms.get(room)?.size ?? 0;
    if (socketsOfUser > this.config.open.socketsPerUser) {
      throw new AppError(
        'RATE_LIMITED',
        'This account is open in too many windows for live updates. Close some of them.',
        { retryAfterSeconds: SOCKET_RETRY_SECONDS },
      );
    }
  }

  /**
   * True if the handshake comes from this server's own page. Browsers always send the page's origin; other programs
   * send none and are accepted.
   */
  private isOwnPage(origin: string | undefined): boolean {
    const { accounts, publicUrl } = this.config;
    const own = accounts.kind === 'clerk' ? accounts.authorizedParties : ownOrigins(publicUrl);
    return origin === undefined || own.includes(origin);
  }

  private logRefused(request: IncomingMessage, status: number, code: string): void {
    const address = this.addressOf(request) ?? '';
    this.requestLog.logRefused({ address, path: SOCKET_PATH, status, code });
  }

  /** The client's address, determined like Express does behind trusted proxies. */
  private addressOf(request: IncomingMessage): string | undefined {
    const express = this.adapterHost.httpAdapter.getInstance<{ request: Request }>();
    const { socket, headers } = request;
    const expressRequest = Object.create(express.request, {
      socket: { value: socket },
      headers: { value: headers },
    }) as Request;
    return expressRequest.ip;
  }

  /** Rejects the tokens of a session from now on, and closes its sockets. */
  private end(sessionId: string): void {
    this.endedSessions.add(sessionId);
    for (const socket of this.server.io.sockets.sockets.values())
      if (socket.data.sessionId === sessionId) socket.disconnect(true);
  }

  private closeAllGradually(): void {
    this.stopClosing();
    this.stopClosing = closeGradually([...this.server.io.sockets.sockets.values()]);
  }

  private async verify(token: unknown): Promise<Identity> {
    return this.tokens.verify(typeof token === 'string' ? token : '');
  }

  private accept(socket: LiveSocket): void {
    // The session may have ended, or the shutdown may have begun, during authentication.
    if (this.drain.hasBegun || this.endedSessions.has(socket.data.sessionId))
      return void socket.disconnect(true);
    this.watchExpiry(socket);
    // Don't trust the shape of the message: an error thrown here would end the process.
    socket.on('token', (renewal: unknown, acknowledge: unknown) => {
      void this.renew(socket, (renewal as { token?: unknown } | null | undefined)?.token).then((success) => {
        if (typeof acknowledge === 'function') (acknowledge as Acknowledge)({ success });
      });
    });
    socket.on('disconnect', () => {
      this.clearTimers(socket);
      // A client may disconnect and keep its connection, which would count as no socket of its user.
      socket.conn.close();
    });
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

  /** Asks the client for a new token shortly before its token expires, and closes the socket when it expires. */
  private watchExpiry(socket: LiveSocket): void {
    this.clearTimers(socket);
    const left = Math.max(socket.data.expiresAt - Date.now() / 1000, 0);
    // Tokens of hosted accounts live no longer than RENEW_BEFORE_SECONDS, so these are renewed at half of their
    // lifetime.
    const renewIn = Math.max(left - RENEW_BEFORE_SECONDS, left / 2);
    this.timers.set(socket.id, [
      setTimeout(
        () => socket.emit('token:expiring', { seconds: Math.round(left - renewIn) }),
        renewIn * 1000,
      ),
      setTimeout(() => socket.disconnect(true), left * 1000),
    ]);
  }

  private clearTimers(socket: LiveSocket): void {
    this.timers.get(socket.id)?.forEach(clearTimeout);
    this.timers.delete(socket.id);
  }

  private async publishPositions(): Promise<void> {
    if (this.isPublishingPositions) return;
    this.isPublishingPositions = true;
    try {
      const waiting = await this.positions.ofUsers(this.connectedUsers());
      for (const position of waiting) this.publishPosition(position);
      const ids = new Set(waiting.map(({ id }) => id));
      for (const id of this.publishedPositions.keys()) if (!ids.has(id)) this.publishedPositions.delete(id);
    } catch (error) {
      this.logger.warn(`Queue positions could not be read: ${(error as Error).message}`);
    } finally {
      this.isPublishingPositions = false;
    }
  }

  private async recoverJobEnds(): Promise<void> {
    try {
      await this.endRecovery.pass(this.connectedUsers());
    } catch (error) {
      this.logger.warn(`Jobs that have ended could not be read: ${(error as Error).message}`);
    }
  }

  private connectedUsers(): string[] {
    return [...new Set([...this.server.io.sockets.sockets.values()].map((socket) => socket.data.userId))];
  }

  private publishPosition({ id, userId, ...position }: UserQueuePosition): void {
    const key = JSON.stringify(position);
    if (this.publishedPositions.get(id) === key) return;
    this.publishedPositions.set(id, key);
    this.server.io.local.to(roomOf(userId)).emit('job:position', { id, ...position });
  }
}

const notCached: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

interface ConnectionError {
  req: IncomingMessage;
  code: number;
  message: string;
}

/**
 * Lets Node upgrade only WebSocket requests. Some clients, such as Java's, offer an upgrade to HTTP/2 with their first
 * request. By default Node would pass it to the upgrade listener, where socket.io closes the connection.
 */
function upgradeOnlySockets(server: HttpServer): void {
  // Normally an option of `createServer`, which Nest does not pass on. The server reads the option from this property.
  Object.assign(server, { shouldUpgradeCallback: isUpgrade });
}

/**
 * True if the request opens a WebSocket for live events (RFC 6455). Other upgrade requests are handled as plain
 * requests.
 */
const isUpgrade = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url!.startsWith(`${SOCKET_PATH}/`) &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '') &&
  headers['sec-websocket-protocol'] === undefined;

const foreignPage = () =>
  new AppError('FORBIDDEN', 'This page is not served from the address of this server.');

const toSocketError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('UNAVAILABLE', 'The server cannot check your session now. Try again shortly.');

/** Error for a refused socket, with the same code and message as over HTTP. */
const refusal = ({ code, message, retryAfterSeconds }: AppError): Error =>
  Object.assign(new Error(code), { data: { code, message, retryAfterSeconds } });
