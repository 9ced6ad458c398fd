import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#libs/config/environment.js';
import type { DataFolder } from './data-folder.ts';
import { Refusal, say } from './terminal.ts';

/** A port of 127.0.0.1 that nobody listens on now. */
export const freePort = () => listenOnce(0, '127.0.0.1');

/**
 * Makes sure that a server can listen where the configuration says. Programs of a start that was killed stop by
 * themselves, and hold the port until then.
 * @throws Refusal when another program listens there
 */
export async function requirePort(config: Config, folder: DataFolder, signal: AbortSignal) {
  const until = performance.now() + (folder.leftInHaste ? (config.shutdownSeconds + 5) * 1000 : 0);
  for (let told = false; !(await isFree(config.port, config.host)); told = true) {
    if (performance.now() > until) {
      throw new Refusal(
        `Another program already listens on port ${config.port} of ${config.host}: stop it, or choose another port, such as PORT=${config.port + 1} npm start.`,
      );
    }
    if (!told) say('The last start was killed; waiting for its programs to stop.');
    await sleep(200, undefined, { signal });
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw new Refusal(`Pressroom cannot listen on port ${port} of ${host}: ${(error as Error).message}.`);
  }
}

async function listenOnce(port: number, host: string): Promise<number> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return taken;
}
