import type { Socket } from 'socket.io';
import { systemClock, type Clock } from '#libs/config/clock.js';

type Connection = Pick<Socket['conn'], 'on' | 'close' | 'transport'>;
type Packet = { type: string; data?: unknown };
type WithWebSocket = {
  socket?: {
    bufferedAmount: number;
    on: (event: 'ping', listener: () => void) => unknown;
    terminate: () => void;
  };
};

/** A client of a socket or event stream that reads too slowly for this many bytes connects again and gets the current state. */
export const UNSENT_MAX_BYTES = 4 * 2 ** 20;
/** A client sends a token when it connects and when one expires. */
const MESSAGES_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Closes a connection whose client does not read what it is sent, or sends too many messages; pings have no limit. */
export function limitConnection(
  connection: Connection,
  { maxBytes = UNSENT_MAX_BYTES, clock = systemClock }: { maxBytes?: number; clock?: Clock } = {},
): void {
  const webSocket = () => (connection.transport as WithWebSocket).socket;
  const end = () => {
    // A close would wait until the client has read everything.
    const socket = webSocket();
    if (socket) socket.terminate();
    else connection.close(true);
  };
  // Bytes in the connection's buffer, which waits for the transport.
  let waiting = 0;
  const check = () => {
    if (waiting + (webSocket()?.bufferedAmount ?? 0) > maxBytes) end();
  };
  // The answers to a WebSocket's pings are no packets.
  const watchPings = () => webSocket()?.on('ping', check);
  watchPings();
  connection.on('upgrade', watchPings);
  connection.on('packetCreate', ({ data }: Packet) => {
    waiting += typeof data === 'string' || data instanceof Uint8Array ? Buffer.byteLength(data) : 0;
    check();
  });
  connection.on('flush', () => (waiting = 0));

  let minuteAt = clock.elapsed();
  let messages = 0;
  connection.on('packet', ({ type }: Packet) => {
    if (type !== 'message') return;
    const now = clock.elapsed();
    if (now - minuteAt >= MINUTE_MS) [minuteAt, messages] = [now, 0];
    messages += 1;
    if (messages > MESSAGES_PER_MINUTE) end();
  });
}
