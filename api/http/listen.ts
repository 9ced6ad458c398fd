import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';

/**
 * Node.js accepts one connection of each listening socket in an iteration of its event loop. With one socket, a stranger who
 * opens 500 connections delays the next one by 500 iterations. Linux spreads connections over the sockets of a port.
 */
const LISTENERS = process.platform === 'linux' ? 64 : 1;
/**
 * Connections of each socket that wait to be accepted. The system drops further ones, whose clients try again after 1, 3
 * and 7 seconds. Node's default is 511.
 */
const BACKLOG = 4_096;

const extraListeners = new WeakMap<Server, NetServer[]>();

/**
 * Listens with several sockets on one port.
 * @throws the error of `listen`, for example if the port is in use
 */
export async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  // A shared port could be shared with another program too, so check first that it is free.
  const probe = createServer();
  await once(probe.listen({ port, host }), 'listening');
  await new Promise((closed) => probe.close(closed));
  const extra = Array.from({ length: LISTENERS - 1 }, () =>
    // The options of Node's HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  );
  extraListeners.set(server, extra);
  const options = { host, backlog: BACKLOG, reusePort: LISTENERS > 1 };
  // The HTTP server first: it keeps no list of connections before it listens.
  await once(server.listen({ ...options, port }), 'listening');
  const { port: taken } = server.address() as AddressInfo;
  await Promise.all(extra.map((one) => once(one.listen({ ...options, port: taken }), 'listening')));
}

/** Stops listening. Resolves when all connections have closed. */
export async function stopListening(server: Server): Promise<void> {
  const listeners = [server, ...(extraListeners.get(server) ?? [])];
  await Promise.all(listeners.map((one) => new Promise((closed) => one.close(closed))));
}
