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
  onNotebooksChanged: () => void;
  /**
   * Called on each connection; fetch data whose events may have been missed.
   * @param isAgain false for the first connection
   */
  onConnected: (isAgain: boolean) => void;
  onConnection: (connected: boolean) => void;
}

const REJECTED_RETRY_MS = 2_000;

/** Error of a connection that the server rejected. */
type Refusal = Error & { data?: { code: ErrorCode; retryAfterSeconds?: number } };

/** Opens a socket and applies its events to the stores. @returns a function that closes the socket */
export function connectEvents({
  getToken,
  jobs,
  batches,
  flows,
  onAccount,
  onCreationChanged,
  onSearchesChanged,
  onNotebooksChanged,
  onConnected,
  onConnection,
}: ConnectEventsOptions): () => void {
  let rejected = false;
  let wasDisconnected = false;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Resolves to null if there is no token now. The server then rejects the handshake, after which the client retries. */
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
    // If the server closed the socket (expired token or shutdown), socket.io does not reconnect by itself.
    if (reason === 'io server disconnect') reconnectLater();
  });
  socket.on('connect_error', (error) => {
    wasDisconnected = true;
    if (!closed) onConnection(false);
    if (socket.active) return;
    const { code, retryAfterSeconds } = (error as Refusal).data ?? {};
    // RATE_LIMITED means that the user has too many sockets. The token is valid then, so don't renew it.
    rejected = code !== 'RATE_LIMITED';
    reconnectLater(retryAfterSeconds && retryAfterSeconds * 1000 * (1 + Math.random()));
  });
  socket.on('job', (job) => {
    // Jobs of a batch are not listed one by one, so store only those that a page has loaded.
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
  socket.on('notebooks', onNotebooksChanged);
  socket.on('token:expiring', async () => {
    const token = await tokenOrNull({ fresh: true });
    if (token !== null) socket.emit('token', { token }, () => undefined);
  });

  // Browser events report a network change sooner than a missed heartbeat of the socket.
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
