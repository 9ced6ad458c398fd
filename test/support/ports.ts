import { freePort as anyFreePort, isFree } from '../../scripts/stack/ports.ts';

/** Below the range from which the kernel gives ports to connections, so that none takes a port before its program does. */
const FIRST = 12_000;
/** Ports of one Jest worker: two suites that run at once never choose the same. */
const BLOCK = 2_000;
const BLOCKS = 10;

const block = FIRST + (Number(process.env.JEST_WORKER_ID ?? 0) % BLOCKS) * BLOCK;
let next = Math.floor(Math.random() * BLOCK);

/** A port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK; tries += 1) {
    const port = block + (next++ % BLOCK);
    if (await isFree(port, '127.0.0.1')) return port;
  }
  return anyFreePort();
}
