import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { WebhookEvent } from '#libs/contract/webhooks.js';

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: string;
  event: WebhookEvent;
}

/** A receiver of webhooks on loopback. */
export class WebhookReceiver {
  readonly received: ReceivedEvent[] = [];
  connections = 0;
  /** Answers a request. Default: 204. */
  answer: (response: ServerResponse, received: ReceivedEvent) => void = accept;
  private server: Server | null = null;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }

  /** Starts it, on the port that it had before. */
  async start(): Promise<this> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const received = { headers: request.headers, body, event: JSON.parse(body) as WebhookEvent };
        this.received.push(received);
        this.answer(response, received);
      });
    });
    server.on('connection', () => (this.connections += 1));
    await new Promise<void>((listening) => server.listen(this.port, '127.0.0.1', listening));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  /** Stops it as a killed program stops: open requests get no answer. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    server?.closeAllConnections();
    await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  }

  ofType(type: string): ReceivedEvent[] {
    return this.received.filter(({ event }) => event.type === type);
  }
}

export const accept = (response: ServerResponse) => void response.writeHead(204).end();
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);
