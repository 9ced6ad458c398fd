import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { ConfigurationError } from '#libs/config/configuration-error.js';

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

/** Listens with several sockets on one port. @throws ConfigurationError if that is impossible there */
export async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  // A shared port could be shared with another program too, so check first that it is free.
  const probe = createServer();
  await listening(probe.listen({ port, host }), { port, host });
  await new Promise((closed) => probe.close(closed));
  const extra = Array.from({ length: LISTENERS - 1 }, () =>
    // The options of Node's HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  );
  extraListeners.set(server, extra);
  const options = { host, backlog: BACKLOG, reusePort: LISTENERS > 1 };
  // The HTTP server first: it keeps no list of connections before it listens.
  await listening(server.listen({ ...options, port }), { port, host });
  const { port: taken } = server.address() as AddressInfo;
  await Promise.all(
    extra.map((one) => listening(one.listen({ ...options, port: taken }), { port: taken, host })),
  );
}

/** Waits until a server listens. @throws ConfigurationError if it cannot listen there */
export async function listening(
  server: NetServer,
  { port, host }: { port: number; host: string },
): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const requirement =
      REQUIREMENTS[code ?? ''] ?? 'HOST and PORT must hold an address that this program may listen on';
    throw new ConfigurationError(`${requirement}. It cannot listen on port ${port} of ${host}: ${message}.`);
  }
}

const REQUIREMENTS: Record<string, string> = {
  EADDRINUSE: 'PORT must hold a free port: another program listens on this one',
  EACCES: 'PORT must hold a port that this user may listen on, such as one from 1024',
  EADDRNOTAVAIL: 'HOST must hold an address of this machine',
  ENOTFOUND: 'HOST must hold an address of this machine',
};

/** Stops listening. Resolves when all connections have closed. */
export async function stopListening(server: Server): Promise<void> {
  const listeners = [server, ...(extraListeners.get(server) ?? [])];
  await Promise.all(listeners.map((one) => new Promise((closed) => one.close(closed))));
}
