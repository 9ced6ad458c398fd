import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { network } from './rate-limits.js';

/** True if the address is a trusted proxy. Express's function for the setting `trust proxy`. */
export type IsProxy = (address: string, hop: number) => boolean;

/**
 * Longer than clients and proxies keep idle connections, so that this server never closes a connection on which a
 * request is arriving.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Limits the number of open connections per address. Trusted proxies are exempt, since they carry many clients and
 * limit these themselves.
 */
export function limitConnections(server: Server, limit: number, isProxy: IsProxy): void {
  const counts = new Map<string, number>();
  // No time limit for requests, since `minimumBodyRate` limits slow bodies.
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
