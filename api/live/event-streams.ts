import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { type ApiKeys } from '#libs/api-keys/api-keys.js';
import { type Batches } from '#libs/batches/batches.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { AppError } from '#libs/contract/errors.js';
import { type Flows } from '#libs/flows/flows.js';
import { isEnded } from '#libs/contract/jobs.js';
import { type SocketServer } from '#libs/events/socket-server.js';
import { type JobCompletion } from '#libs/jobs/job-completion.js';
import { type JobReader } from '#libs/jobs/job-reader.js';
import { type Drain } from '../http/drain.js';
import { limitedRead, type AuthenticatedRequest } from '../http/route.js';
import { UNSENT_MAX_BYTES } from './connection-limits.js';

/** Below the idle timeouts of usual proxies, of 30 s or more. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 2_000;
/** Within the longest time of a timer; a stream of a job that waits longer ends, and the client connects again. */
const STREAM_MAX_MS = 24 * 3_600_000;
/** Checks, one with each comment, after which a stream ends if bytes wait and none has moved since the first. */
const STALLED_CHECKS = 3;
/** Newest batches and flows whose state a stream begins with, if they are open or have a job there. */
const STATE_MAX_RUNS = 20;
/** A job that ended this long before the last event may have been published after it. */
const OVERLAP_MS = 10_000;

/** Most events that wait for the current state. */
const WAITING_MAX_EVENTS = 10_000;

/** Events with the name and payload of those on the socket. */
const forwardedEvents = [
  'job',
  'job:delta',
  'job:preview',
  'job:position',
  'batch',
  'flow',
  'creation',
  'account',
];

interface Deps {
  jobs: JobReader;
  batches: Batches;
  flows: Flows;
  completion: JobCompletion;
  server: SocketServer;
  apiKeys: ApiKeys;
  drain: Drain;
  streamsPerUser: number;
  clock?: Clock;
}

/**
 * Server-sent events for programs, as on the socket: a stream begins with the current state, so that a client that was
 * away misses nothing. Streams end when events may have been missed, when the token expires or the key is revoked, and
 * when the api stops. Clients then connect again.
 */
export class EventStreams {
  private readonly open = new Map<string, Set<Stream>>();
  private readonly unsubscribe: (() => void)[];
  private readonly clock: Clock;

  constructor(private readonly deps: Deps) {
    this.clock = deps.clock ?? systemClock;
    this.unsubscribe = [
      deps.server.onEventsMissed(() => this.endAll()),
      ...(['user:deleted', 'user:suspended'] as const).map((event) =>
        deps.server.subscribe(event, (userId) => this.endAll((one) => one.caller.userId === userId)),
      ),
      deps.server.subscribe('session:ended', (id) => this.endAll((one) => one.sessionId === id)),
    ];
  }

  onModuleDestroy(): void {
    this.deps.drain.begin();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    this.endAll();
  }

  /**
   * Events of one job, until it ends. The id of a `job` event is the job's revision; a client that has the last one gets 204.
   * @throws AppError NOT_FOUND, RATE_LIMITED
   */
  async sendJob(jobId: string, request: AuthenticatedRequest, response: Response): Promise<void> {
    const { userId } = request.caller;
    const read = () => limitedRead(request, response, () => this.deps.jobs.get(userId, jobId));
    const first = await read();
    if (isEnded(first.status) && lastEventId(request) === String(first.revision)) {
      response.status(204).end();
      return;
    }
    const stream = this.start(request, response, (event, payload) => {
      const { id, revision } = payload as { id?: string; revision?: number };
      if (id !== jobId || !event.startsWith('job')) return null;
      return event === 'job' ? { id: String(revision) } : {};
    });
    try {
      // The state is read after the subscription: an event in between would be lost otherwise.
      await this.deps.server.subscribed(userId);
      if (stream.signal.aborted) return;
      const job = await read();
      stream.begin([['job', job, String(job.revision)]]);
      await this.deps.completion.wait(jobId, STREAM_MAX_MS, stream.signal);
      if (stream.signal.aborted) return;
      // The event of the end may be on its way; its state is sent here.
      const ended = await read();
      stream.push('job', ended, String(ended.revision));
    } finally {
      stream.end();
    }
  }

  /**
   * Events of everything of the user. An event's id is a time; after it, jobs that ended since and all unfinished jobs are
   * sent again.
   * @throws AppError RATE_LIMITED
   */
  async sendAll(request: AuthenticatedRequest, response: Response): Promise<void> {
    const since = Number(lastEventId(request));
    const stream = this.start(request, response, (event) =>
      forwardedEvents.includes(event) ? { id: String(this.clock.now()) } : null,
    );
    try {
      await this.deps.server.subscribed(request.caller.userId);
      const from = Number.isSafeInteger(since) && since > 0 ? new Date(since - OVERLAP_MS) : null;
      const id = String(this.clock.now());
      const state = await limitedRead(
        request,
        response,
        async () => !stream.signal.aborted && this.readState(request.caller.userId, from),
      );
      if (!state) return;
      stream.begin([
        ...state.jobs.map((job) => ['job', job, id] as const),
        ...state.batches.map((batch) => ['batch', batch, id] as const),
        ...state.flows.map((flow) => ['flow', flow, id] as const),
      ]);
      await stream.ended;
    } finally {
      stream.end();
    }
  }

  private async readState(userId: string, from: Date | null) {
    const { batches, flows, jobs: reader } = this.deps;
    // One after another: a read has one connection of the pool.
    const jobs = await reader.unfinishedOrEndedSince(userId, from);
    const newestBatches = await batches.list(userId, { limit: STATE_MAX_RUNS });
    const newestFlows = await flows.list(userId, { limit: STATE_MAX_RUNS });
    const batchIds = new Set(jobs.map(({ batchId }) => batchId));
    const flowIds = new Set(jobs.map(({ flowId }) => flowId));
    return {
      jobs,
      batches: newestBatches.batches.filter(({ id, status }) => status === 'open' || batchIds.has(id)),
      flows: newestFlows.flows.filter(({ id, status }) => status === 'open' || flowIds.has(id)),
    };
  }

  private start(
    request: AuthenticatedRequest,
    response: Response,
    select: (event: string, payload: unknown) => { id?: string } | null,
  ): Stream {
    const { caller, identity } = request;
    const own = this.open.get(caller.userId) ?? new Set();
    if (own.size >= this.deps.streamsPerUser)
      throw new AppError('RATE_LIMITED', 'This account has too many open event streams. Close some of them.');
    const stream = new Stream(response, caller, identity?.sessionId ?? null);
    this.open.set(caller.userId, own.add(stream));
    const unsubscribe = this.deps.server.subscribeToUser(caller.userId, (event, payload) => {
      const selected = select(event, payload ?? null);
      if (selected) stream.push(event, payload, selected.id);
    });
    if (this.deps.drain.hasBegun) stream.end();
    const stopKeepAlive = this.clock.every(KEEP_ALIVE_MS, () => void this.keepAlive(stream));
    const stopExpiry =
      identity && this.clock.after(identity.expiresAt * 1_000 - this.clock.now(), () => stream.end());
    void stream.ended.then(() => {
      stopKeepAlive();
      stopExpiry?.();
      unsubscribe();
      own.delete(stream);
      if (own.size === 0) this.open.delete(caller.userId);
    });
    return stream;
  }

  private async keepAlive(stream: Stream): Promise<void> {
    const { apiKey } = stream.caller;
    const isValid = !apiKey || (await this.deps.apiKeys.isValid(apiKey.id).catch(() => true));
    if (!isValid) stream.end();
    else if (stream.isStalled()) stream.destroy();
    else stream.comment();
  }

  private endAll(which: (stream: Stream) => boolean = () => true): void {
    for (const streams of [...this.open.values()])
      for (const stream of [...streams]) if (which(stream)) stream.end();
  }
}

/** One response. Events before `begin` wait until the current state is sent. */
class Stream {
  readonly ended: Promise<void>;
  private readonly closing = new AbortController();
  private waiting: [event: string, payload: unknown, id: string | undefined][] | null = [];
  /** All bytes that had to wait for the client. */
  private delayed = 0;
  private moved = 0;
  private checksWithoutMove = 0;

  constructor(
    private readonly response: Response,
    readonly caller: Caller,
    readonly sessionId: string | null,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.signal.addEventListener('abort', () => resolve(), { once: true });
    response.once('close', () => this.closing.abort());
    if (response.closed) this.closing.abort();
    // nginx buffers answers unless told otherwise.
    response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders();
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  begin(state: (readonly [event: string, payload: unknown, id: string])[]): void {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const [event, payload, id] of [...state, ...waiting]) this.push(event, payload, id);
  }

  push(event: string, payload: unknown, id?: string): void {
    if (this.signal.aborted) return;
    if (this.waiting) this.waiting.push([event, payload, id]);
    // JSON has no line breaks, so it is one line of data. An event without id keeps the client's last id.
    else this.write(`event: ${event}\ndata: ${JSON.stringify(payload)}\n${id ? `id: ${id}\n` : ''}\n`);
    if (this.response.writableLength > UNSENT_MAX_BYTES || (this.waiting?.length ?? 0) > WAITING_MAX_EVENTS)
      this.end();
  }

  comment(): void {
    if (!this.signal.aborted) this.write(':\n\n');
  }

  /** True if bytes wait and none has moved since {@link STALLED_CHECKS} calls. */
  isStalled(): boolean {
    const { writableLength } = this.response;
    const moved = this.delayed - writableLength;
    this.checksWithoutMove = writableLength > 0 && moved === this.moved ? this.checksWithoutMove + 1 : 0;
    this.moved = moved;
    return this.checksWithoutMove >= STALLED_CHECKS - 1;
  }

  /** Ends the stream without what the client has not read. */
  destroy(): void {
    this.closing.abort();
    this.response.destroy();
  }

  end(): void {
    if (this.signal.aborted) return;
    this.closing.abort();
    if (this.response.writableLength > UNSENT_MAX_BYTES) this.response.destroy();
    else this.response.end();
  }

  private write(text: string): void {
    const before = this.response.writableLength;
    this.response.write(text);
    this.delayed += this.response.writableLength - before;
  }
}

const lastEventId = (request: Request): string | undefined => request.header('last-event-id');
