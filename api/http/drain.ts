import type { Server, ServerResponse } from 'node:http';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { stopListening } from './listen.js';

const CHECK_INTERVAL_MS = 50;
/** Seconds of the shutdown time reserved for closing everything else. */
const RESERVED_SECONDS = 4;

/**
 * On shutdown, stops accepting connections, completes the requests in progress, and closes each connection after its
 * response, so that clients switch to another process. Owners of long-lived connections (sockets, waiting requests)
 * must close them after {@link begin}.
 */
export class Drain implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly answering = new Set<ServerResponse>();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly shutdownSeconds: number,
  ) {}

  onApplicationBootstrap(): void {
    this.server.prependListener('request', (_request, response: ServerResponse) => {
      if (this.closed) response.setHeader('Connection', 'close');
      this.answering.add(response);
      response.once('close', () => this.answering.delete(response));
    });
  }

  get hasBegun(): boolean {
    return this.closed !== undefined;
  }

  /** Stops accepting connections. Safe to call more than once. */
  begin(): void {
    if (this.closed) return;
    this.closed = stopListening(this.server);
    for (const response of this.answering) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** Waits for the requests in progress, and closes connections that take too long. */
  async beforeApplicationShutdown(): Promise<void> {
    this.begin();
    const idleTimer = setInterval(() => this.server.closeIdleConnections(), CHECK_INTERVAL_MS);
    const timeout = Math.max(this.shutdownSeconds - RESERVED_SECONDS, 0) * 1000;
    const timeoutTimer = setTimeout(() => this.server.closeAllConnections(), timeout);
    await this.closed;
    clearInterval(idleTimer);
    clearTimeout(timeoutTimer);
  }

  private get server(): Server {
    return this.adapterHost.httpAdapter.getHttpServer() as Server;
  }
}
