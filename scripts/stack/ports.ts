import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#libs/config/environment.js';
import type { DataFolder } from './data-folder.ts';
import { print, WrongConfiguration } from './terminal.ts';

export const freePort = () => listenOnce(0, '127.0.0.1');

/**
 * Checks that the configured port is free. After a start that was killed it waits: the programs of that start still
 * listen while they stop.
 * @throws WrongConfiguration when another program listens there
 */
export async function requirePort(config: Config, folder: DataFolder, signal: AbortSignal) {
  const deadline = performance.now() + (folder.wasKilled ? (config.shutdownSeconds + 5) * 1000 : 0);
  for (let waiting = false; !(await isFree(config.port, config.host)); waiting = true) {
    if (performance.now() > deadline) {
      throw new WrongConfiguration(
        `Another program already listens on port ${config.port} of ${config.host}: stop it, or choose another port, such as PORT=${config.port + 1} npm start.`,
      );
    }
    if (!waiting) print('The last start was killed; waiting for its programs to stop.');
    await sleep(200, undefined, { signal });
  }
}

/** @throws WrongConfiguration when no program can listen there */
export async function isFree(port: number, host: string): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw new WrongConfiguration(
      `HOST and PORT must hold an address that Pressroom may listen on. It cannot listen on port ${port} of ${host}: ${(error as Error).message}.`,
    );
  }
}

async function listenOnce(port: number, host: string): Promise<number> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return address.port;
}
