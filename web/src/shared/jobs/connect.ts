import { io, type Socket } from 'socket.io-client';
import type { Account } from '#libs/contract/account.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import type { GetToken } from '../http/http';
import type { JobStore } from './job-store';

interface LiveOptions {
  getToken: GetToken;
  store: JobStore;
  onAccount: (account: Account) => void;
  /** Called on each connection that comes after a lost or refused one: events may have been missed in between. */
  onReconnected: () => void;
  onConnection: (connected: boolean) => void;
}

const REFUSED_RETRY_MS = 2_000;

/** Opens the one live connection of this tab and feeds the store with it. Answers how to close it. */
export function connectLive({
  getToken,
  store,
  onAccount,
  onReconnected,
  onConnection,
}: LiveOptions): () => void {
  let refused = false;
  let missed = false;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Without a token the handshake is refused and tried again. */
  const tokenOrNull: GetToken = (options) => getToken(options).catch(() => null);

  const socket: Socket<ServerEvents, ClientEvents> = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 4_000,
    auth: (answer) => void tokenOrNull({ fresh: refused }).then((token) => answer({ token })),
  });

  const reconnectLater = () => {
    clearTimeout(retry);
    retry = setTimeout(() => {
      if (!closed) socket.connect();
    }, REFUSED_RETRY_MS);
  };

  socket.on('connect', () => {
    refused = false;
    onConnection(true);
    store.resync();
    if (missed) onReconnected();
    missed = false;
  });
  socket.on('disconnect', (reason) => {
    if (closed) return;
    missed = true;
    onConnection(false);
    // The server closed it on purpose (the token ended, or it shuts down); socket.io then leaves it closed.
    if (reason === 'io server disconnect') reconnectLater();
  });
  socket.on('connect_error', () => {
    missed = true;
    if (!closed) onConnection(false);
    if (socket.active) return;
    refused = true;
    reconnectLater();
  });
  socket.on('job', (job) => store.take(job));
  socket.on('job:delta', (delta) => store.takeDelta(delta));
  socket.on('job:position', (position) => store.takePosition(position));
  socket.on('account', onAccount);
  socket.on('token:expiring', async () => {
    const token = await tokenOrNull({ fresh: true });
    if (token !== null) socket.emit('token', { token }, () => undefined);
  });

  // The browser says sooner than a missed heartbeat that the network went away or came back.
  const onOffline = () => socket.io.engine?.close();
  const onOnline = () => socket.connect();
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);

  return () => {
    closed = true;
    clearTimeout(retry);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', onOnline);
    socket.disconnect();
  };
}
