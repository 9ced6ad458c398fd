import { io, type Socket } from 'socket.io-client';
import type { Account } from '#libs/contract/account.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import type { ClientEvents, ServerEvents } from '#libs/contract/events.js';
import type { BatchStore } from '../../modules/runs/state/batch-store';
import type { GetToken } from '../../shared/http/http';
import type { FlowStore } from '../../modules/runs/state/flow-store';
import type { JobStore } from '../../modules/runs/state/job-store';

interface ConnectEventsOptions {
  getToken: GetToken;
  jobs: JobStore;
  batches: BatchStore;
  flows: FlowStore;
  onAccount: (account: Account) => void;
  onCreationChanged: (ids: readonly string[]) => void;
  onSearchesChanged: () => void;
  /** Called on each connection: earlier events were missed. @param isAgain after a connection was lost or refused */
  onConnected: (isAgain: boolean) => void;
  onConnection: (connected: boolean) => void;
}

const REJECTED_RETRY_MS = 2_000;

/** The error of a socket that the server refused. */
type Refusal = Error & { data?: { code: ErrorCode; retryAfterSeconds?: number } };

/** Applies the events of this tab's socket to the stores. @returns a function that closes the socket */
export function connectEvents({
  getToken,
  jobs,
  batches,
  flows,
  onAccount,
  onCreationChanged,
  onSearchesChanged,
  onConnected,
  onConnection,
}: ConnectEventsOptions): () => void {
  let rejected = false;
  let wasDisconnected = false;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Without a token the server rejects the handshake, and the client retries. */
  const tokenOrNull: GetToken = (options) => getToken(options).catch(() => null);

  const socket: Socket<ServerEvents, ClientEvents> = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 4_000,
    auth: (send) => void tokenOrNull({ fresh: rejected }).then((token) => send({ token })),
  });

  const reconnectLater = (milliseconds = REJECTED_RETRY_MS) => {
    clearTimeout(retry);
    retry = setTimeout(() => {
      if (!closed) socket.connect();
    }, milliseconds);
  };

  socket.on('connect', () => {
    rejected = false;
    onConnection(true);
    jobs.resync();
    onConnected(wasDisconnected);
    wasDisconnected = false;
  });
  socket.on('disconnect', (reason) => {
    if (closed) return;
    wasDisconnected = true;
    onConnection(false);
    // socket.io does not reconnect when the server closes the socket (the token expired, or a shutdown).
    if (reason === 'io server disconnect') reconnectLater();
  });
  socket.on('connect_error', (error) => {
    wasDisconnected = true;
    if (!closed) onConnection(false);
    if (socket.active) return;
    const { code, retryAfterSeconds } = (error as Refusal).data ?? {};
    // Too many sockets of this user: the token is valid, and an early retry would be refused too.
    rejected = code !== 'RATE_LIMITED';
    reconnectLater(retryAfterSeconds && retryAfterSeconds * 1000 * (1 + Math.random()));
  });
  socket.on('job', (job) => {
    // The tray and the lists show batches as a whole.
    if (job.batchId === undefined || jobs.view(job.id) !== null) jobs.put(job);
    batches.applyJob(job);
  });
  socket.on('batch', (batch) => batches.put(batch));
  socket.on('flow', (flow) => flows.put(flow));
  socket.on('job:delta', (delta) => jobs.applyDelta(delta));
  socket.on('job:position', (position) => jobs.applyPosition(position));
  socket.on('job:preview', (preview) => jobs.applyPreview(preview));
  socket.on('account', onAccount);
  socket.on('creation', ({ id, ids = [id] }) => {
    for (const changed of ids) batches.markStale(changed);
    onCreationChanged(ids);
  });
  socket.on('searches', onSearchesChanged);
  socket.on('token:expiring', async () => {
    const token = await tokenOrNull({ fresh: true });
    if (token !== null) socket.emit('token', { token }, () => undefined);
  });

  // The browser reports the network state sooner than a missed heartbeat.
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
