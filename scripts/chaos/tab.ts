import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { io, type Socket } from 'socket.io-client';
import { isEnded, type BatchEvent, type ReceivedDelta, type ReceivedJob, type TabLog } from './log.ts';

const REJECTED_RETRY_MS = 1_000;

interface Events {
  job: (job: ReceivedJob) => void;
  batch: (batch: BatchEvent) => void;
  'job:delta': (delta: ReceivedDelta) => void;
  account: (account: { profile: { id: string }; credits: { remaining: number | null } }) => void;
  'token:expiring': () => void;
}

export interface TabUser {
  log: { name: string };
  /** False while an ended session is replaced. */
  isSignedIn: boolean;
  freshToken(api: number, options: { renew: boolean }): Promise<string>;
  call(
    path: string,
    call: { api: number },
  ): Promise<{ status: number | null; body: { job?: ReceivedJob; jobs?: ReceivedJob[] } }>;
}

/**
 * A browser tab. It shows events, and reads jobs only after it has connected. As the contract requires, it drops revisions
 * that are older than its own.
 */
export class Tab {
  readonly log: TabLog;
  private readonly socket: Socket<Events>;
  private readonly user: TabUser;
  private readonly api: number;
  private isRejected = false;

  constructor(user: TabUser, origin: string, index: number, api: number) {
    this.user = user;
    this.api = api;
    this.log = {
      name: `tab ${index + 1} of ${user.log.name}`,
      deltas: [],
      jobs: [],
      batches: [],
      accounts: [],
      view: new Map(),
      connections: 0,
      isConnected: false,
      socket: [],
      isOpen: true,
      isComplete: false,
    };
    const { log } = this;
    const note = (what: string) => void log.socket.push(`${new Date().toISOString()} ${what}`);
    const socket: Socket<Events> = io(origin, {
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 200,
      reconnectionDelayMax: 1_000,
      auth: (send) =>
        void user.freshToken(api, { renew: this.isRejected }).then((token) => {
          note('sends a token');
          send({ token });
        }),
    });
    this.socket = socket;
    for (const event of ['open', 'close', 'error', 'reconnect_attempt'] as const)
      socket.io.on(event, (why?: unknown) =>
        note(`${event} ${inspect(why, { depth: 0 }).split('\n', 1)[0]}`),
      );
    socket.on('connect', () => {
      note('connect');
      log.connections += 1;
      log.isConnected = true;
      this.isRejected = false;
      void this.read(log.connections);
    });
    const connectLater = () =>
      void pause(REJECTED_RETRY_MS, undefined, { ref: false }).then(() => log.isOpen && socket.connect());
    socket.on('connect_error', ({ message }) => {
      note(`connect_error ${message}, ${socket.active ? 'tries again' : 'is refused'}`);
      if (socket.active) return;
      this.isRejected = true;
      connectLater();
    });
    socket.on('disconnect', (reason) => {
      note(`disconnect ${reason}`);
      log.isConnected = false;
      if (reason === 'io server disconnect') connectLater();
    });
    socket.on('job', (job) => {
      log.jobs.push(job);
      this.put(job);
    });
    socket.on('batch', ({ id, revision, counts }) => log.batches.push({ id, revision, counts }));
    socket.on('job:delta', (delta) => log.deltas.push({ ...delta, connection: log.connections }));
    socket.on('account', ({ profile, credits }) =>
      log.accounts.push({ userId: profile.id, remaining: credits.remaining }),
    );
    socket.on('token:expiring', () => {
      void user.freshToken(api, { renew: true }).then((token) => {
        (socket as Socket).emit('token', { token }, () => undefined);
      });
    });
  }

  put(job: ReceivedJob): void {
    const current = this.log.view.get(job.id);
    if (!current || job.revision >= current.revision) this.log.view.set(job.id, job);
  }

  /** Reads the list of jobs and each unfinished job, until this succeeds or the connection changes. */
  private async read(connection: number): Promise<void> {
    const isCurrent = () => this.log.isOpen && this.log.connections === connection;
    for (; isCurrent(); await pause(300)) {
      const list = await this.user.call('/api/jobs?limit=100', { api: this.api });
      for (const job of list.body.jobs ?? []) this.put(job);
      if (
        (list.status === 401 && this.user.isSignedIn) ||
        (list.status === 200 && (await this.readUnfinished()))
      )
        return;
    }
  }

  private async readUnfinished(): Promise<boolean> {
    let isComplete = true;
    for (const { id } of [...this.log.view.values()].filter((job) => !isEnded(job))) {
      const { status, body } = await this.user.call(`/api/jobs/${id}`, { api: this.api });
      if (body.job) this.put(body.job);
      else if (status === 404) this.log.view.delete(id);
      else isComplete = false;
    }
    return isComplete;
  }

  /** Drops the connection, as a network failure does. */
  drop(): void {
    // A connecting socket would only wait for its own time limit.
    if (this.socket.connected) this.socket.io.engine?.close();
  }

  close(): void {
    this.log.isOpen = false;
    this.socket.disconnect();
  }
}
