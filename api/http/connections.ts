import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { network } from './rate-limits.js';

/** Whether an address is one of our own proxies: Express's function for `trust proxy`. */
export type IsProxy = (address: string, hop: number) => boolean;

/** Longer than clients and proxies keep idle connections, so that no request arrives on a connection that is closing. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Limits the connections that one address holds open. Connections of our own proxies do not count: a proxy limits its
 * clients itself.
 */
export function limitConnections(server: Server, limit: number, isProxy: IsProxy): void {
  const counts = new Map<string, number>();
  // Bodies have a minimum rate instead of a time limit.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address, 0)) return;
    const key = network(address);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > limit) return void socket.destroy();
    counts.set(key, count);
    socket.once('close', () => {
      const others = counts.get(key)! - 1;
      if (others > 0) counts.set(key, others);
      else counts.delete(key);
    });
  });
}
