import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a program and a service that can break and stall connections. */
export class TcpProxy {
  readonly port: number;
  private readonly server: Server;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isRefusing = false;
  private isStalled = false;

  private constructor(server: Server) {
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param host the address to listen on; containers on this machine can reach 0.0.0.0 */
  static async to(target: number, host = '127.0.0.1'): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true });
    await once(server.listen(0, host), 'listening');
    const proxy = new TcpProxy(server);
    server.on('connection', (client) => proxy.accept(client, target));
    return proxy;
  }

  private accept(client: Socket, target: number): void {
    client.on('error', () => undefined);
    if (this.isRefusing) return breakConnection(client);
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [one, other] of [pair, [server, client] as const]) {
      one.setNoDelay();
      one.on('error', () => breakConnection(other));
      one.on('end', () => other.end());
      one.on('close', () => {
        this.pairs.delete(pair);
        other.destroy();
      });
      one.on('data', (chunk) => {
        if (!other.write(chunk)) one.pause();
      });
      other.on('drain', () => this.isStalled || one.resume());
      if (this.isStalled) one.pause();
    }
  }

  reset(): void {
    for (const pair of this.pairs) pair.forEach(breakConnection);
  }

  /** Breaks open connections, and new ones until {@link restore}. */
  refuse(): void {
    this.isRefusing = true;
    this.reset();
  }

  /** Stops all traffic until {@link restore}; connections stay open. */
  stall(): void {
    this.isStalled = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  restore(): void {
    this.isRefusing = false;
    this.isStalled = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  /** Breaks open connections, and resolves once all are closed. */
  async close(): Promise<void> {
    this.server.close();
    this.reset();
    await once(this.server, 'close');
  }
}

/** Closes a socket. Node.js 24 never closes a socket that is reset while it ends, so an ending socket is destroyed. */
export function breakConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
