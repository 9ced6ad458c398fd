import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { io, type Socket } from 'socket.io-client';
import type { ServerEvents } from '#libs/contract/events.js';
import { find } from '../../test/support/machine-programs.ts';
import { startApi, startWorker } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { startFakeProvider } from '../../test/provider/server.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { machine, median } from './figures.ts';
import { inParallel } from './product.ts';
import { deleteJobs, fillBalances, readTokens, signUp, unlimited } from './users.ts';

const SOCKETS = 1_000;
/** Sockets that receive a stream, each of a user of its own; the others are of users with as many windows as may be. */
const STREAMS = 100;
const SOCKETS_PER_USER = 20;
const ROUNDS = 3;
const PIECES = 120;
const PACE_MS = 50;
const TEXT = Array.from({ length: PIECES }, (_, n) => `Piece ${n} of it`).join(' ');

/**
 * Holds 1,000 sockets open while 100 of them receive a text each, through one api and through two, on each backend. Counts the
 * pieces that were lost, and measures the event loop of the apis.
 */
export async function benchSockets(databaseUrl: string): Promise<void> {
  print(
    `Sockets, ${SOCKETS} open, ${STREAMS} receiving a text of ${PIECES} pieces, one every ${PACE_MS} ms, ${ROUNDS} rounds: ${machine()}`,
  );
  const sessions: string[] = [];
  for (const apis of [1, 2]) await measure('PostgreSQL', { databaseUrl, apis, sessions, extra: {} });
  if (!find('redis')) return print('  on Redis: left out, since redis-server is not on this machine.');
  const redis = await startRedis();
  try {
    const extra = { REDIS_URL: redis.url };
    for (const apis of [1, 2]) await measure('Redis', { databaseUrl, apis, sessions, extra });
  } finally {
    await redis.stop();
  }
  print(`  at the end: ${machine()}`);
}

interface Setting {
  databaseUrl: string;
  apis: number;
  /** Of the users, who sign up once. */
  sessions: string[];
  extra: Record<string, string>;
}

async function measure(queue: string, { databaseUrl, apis, sessions, extra }: Setting): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const provider = await startFakeProvider({ defaults: { text: TEXT, paceMs: PACE_MS } });
  stack.defer(() => provider.close());
  const environment = {
    ...unlimited,
    ...extra,
    DATABASE_URL: databaseUrl,
    // A token is valid on every api.
    PUBLIC_URL: 'http://localhost:3000',
    CONNECTIONS_PER_ADDRESS: '10000',
    WORKER_CONCURRENCY: `text=${STREAMS}`,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: provider.url,
  };
  const programs = await Promise.all(
    Array.from({ length: apis }, async () => {
      const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
      return { ...(await startApi({ ...environment, PORT, METRICS_PORT })), metricsPort: METRICS_PORT };
    }),
  );
  stack.defer(async () => void (await Promise.all(programs.map((api) => api.kill()))));
  const worker = startWorker(environment);
  stack.defer(() => void worker.kill());
  const addresses = programs.map(({ address }) => address);
  const users = STREAMS + (SOCKETS - STREAMS) / SOCKETS_PER_USER;
  if (sessions.length === 0) {
    sessions.push(...(await signUp(addresses[0]!, users)));
    await fillBalances(databaseUrl);
  }
  const tokens = await readTokens(addresses[0]!, sessions);

  const clients: Client[] = [];
  stack.defer(() => clients.forEach((client) => client.close()));
  await inParallel(SOCKETS, 20, async (index) => {
    const user = index < STREAMS ? index : STREAMS + Math.floor((index - STREAMS) / SOCKETS_PER_USER);
    const client = new Client(addresses[index % apis]!, tokens[user]!);
    clients[index] = client;
    await client.connected;
  });

  const idle = new IdleThread();
  stack.defer(() => idle.end());
  const figures = { delays: [] as number[], idle: [] as number[], pieces: 0, lost: 0 };
  const receiving = clients.slice(0, STREAMS);
  for (let round = -1; round < ROUNDS; round += 1) {
    await deleteJobs(databaseUrl);
    receiving.forEach((client) => client.begin());
    await Promise.all([...programs.map(readDelay), idle.readDelay()]);
    await inParallel(STREAMS, 10, (index) =>
      submit(addresses[(index + 1) % apis]!, tokens[index]!, `Stream ${round}-${index}`),
    );
    await until('all streams to end', () => receiving.every(({ hasEnded }) => hasEnded), { seconds: 60 });
    const [idleDelay, ...delays] = await Promise.all([idle.readDelay(), ...programs.map(readDelay)]);
    // The first round warms up.
    if (round < 0) continue;
    figures.delays.push(Math.max(...delays));
    figures.idle.push(idleDelay);
    for (const client of receiving) {
      figures.pieces += client.pieces;
      if (client.text !== TEXT) figures.lost += 1;
    }
  }
  const closed = clients.filter(({ isOpen }) => !isOpen).length;
  print(
    `  ${queue}, ${apis === 1 ? 'one api' : 'two apis'}: event loop of an api ${pair(figures.delays)} ms at p99 ` +
      `(of an idle thread ${pair(figures.idle)}); ${figures.pieces} pieces in ${ROUNDS * STREAMS} texts, ` +
      `${figures.lost} texts with a gap, ${closed} sockets closed`,
  );
}

const pair = (values: number[]) => `${median(values).toFixed(0)} (worst ${Math.max(...values).toFixed(0)})`;

/** A page's socket. It reads nothing again: a piece that is lost stays lost. */
class Client {
  text = '';
  pieces = 0;
  hasEnded = false;
  readonly connected: Promise<void>;
  private readonly socket: Socket<ServerEvents>;

  constructor(address: string, token: string) {
    this.socket = io(address, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    this.connected = new Promise((resolve, reject) => {
      this.socket.once('connect', resolve);
      this.socket.once('connect_error', reject);
    });
    this.socket.on('job:delta', ({ offset, text }) => {
      if (offset !== this.text.length) return;
      this.text += text;
      this.pieces += 1;
    });
    this.socket.on('job', ({ status }) => {
      this.hasEnded ||= status === 'succeeded' || status === 'failed';
    });
  }

  get isOpen(): boolean {
    return this.socket.connected;
  }

  begin(): void {
    [this.text, this.pieces, this.hasEnded] = ['', 0, false];
  }

  close(): void {
    this.socket.disconnect();
  }
}

async function submit(address: string, token: string, prompt: string): Promise<void> {
  const response = await fetch(`${address}/api/ai/generate-article`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      prefer: 'respond-async',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ prompt, length: 800 }),
  });
  if (response.status !== 202) throw new Error(`Not accepted: ${await response.text()}`);
  await response.arrayBuffer();
}

/** Milliseconds by which 99 of 100 turns of a program's event loop were late at most, since the last call. */
async function readDelay({ metricsPort }: { metricsPort: string }): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)![1]) * 1_000;
}

/** As long as it waits for a processor, the programs do. */
class IdleThread {
  private readonly thread = new Worker(new URL('../fuzz/idle.ts', import.meta.url));

  async readDelay(): Promise<number> {
    this.thread.postMessage('read');
    const [delay] = (await once(this.thread, 'message')) as [number];
    return delay;
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }
}
