import type { Server, ServerResponse } from 'node:http';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';

/** Milliseconds between two looks for connections that have nothing more to answer. */
const LOOK_EVERY = 50;
/** Seconds kept back from the time to stop, to close down in. */
const KEPT_BACK_SECONDS = 2;

/**
 * Ends the HTTP server in good order: no connection is taken any more, what was asked is answered, and each answer ends
 * its connection, so that whoever asks next asks another process. Whatever keeps a connection busy (sockets, held
 * calls) must let go of it after {@link begin}, when nobody can come back.
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

  /** Stops taking connections. Safe to call again. */
  begin(): void {
    if (this.closed) return;
    this.closed = new Promise((resolve) => this.server.close(() => resolve()));
    for (const response of this.answering) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** Waits until everything is answered. A client that takes too long is cut off, so that the process ends in time. */
  async beforeApplicationShutdown(): Promise<void> {
    this.begin();
    const looks = setInterval(() => this.server.closeIdleConnections(), LOOK_EVERY);
    const patience = Math.max(this.shutdownSeconds - KEPT_BACK_SECONDS, 0) * 1000;
    const cut = setTimeout(() => this.server.closeAllConnections(), patience);
    await this.closed;
    clearInterval(looks);
    clearTimeout(cut);
  }

  private get server(): Server {
    return this.adapterHost.httpAdapter.getHttpServer() as Server;
  }
}
