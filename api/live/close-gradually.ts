import { systemClock, type Clock } from '#libs/config/clock.js';

/** Milliseconds between closing two sockets, since each client then reconnects and reads its state again. */
const BETWEEN_MS = 5;

interface Closable {
  conn: { close(): void };
}

/**
 * Closes sockets one after another without a disconnect packet, so that their clients reconnect automatically.
 * @returns a function that stops the closing
 */
export function closeGradually(sockets: readonly Closable[], clock: Clock = systemClock): () => void {
  let next = 0;
  const cancel = clock.every(BETWEEN_MS, () => {
    sockets[next++]?.conn.close();
    if (next >= sockets.length) cancel();
  });
  return cancel;
}
