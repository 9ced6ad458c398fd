import { io, type Socket } from 'socket.io-client';
import type { ServerEvents } from '#libs/contract/events.js';
import { startApi, startWorker } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { startFakeProvider } from '../../test/provider/server.ts';
import { freePort } from '../stack/ports.ts';
import { IdleThread, readLoad } from '../stack/program-load.ts';
import { median } from '../stack/statistics.ts';
import { print } from '../stack/terminal.ts';
import { machine, onBothBackends } from './figures.ts';
import { inParallel } from './product.ts';
import { deleteJobs, fillBalances, readTokens, signUp, submitJob, unlimited } from './users.ts';

const SOCKETS = 1_000;
/** Sockets that receive a stream, each of a different user. The other sockets are spread over as few users as allowed. */
const STREAMS = 100;
const SOCKETS_PER_USER = 20;
const ROUNDS = 3;
const PIECES = 120;
const PACE_MS = 50;
const TEXT = Array.from({ length: PIECES }, (_, n) => `Piece ${n} of it`).join(' ');

/**
 * Holds 1,000 sockets open while each of 100 receives a text, with one api and with two, on each backend. Counts lost
 * chunks and measures the event loop delay of the apis.
 */
export async function benchSockets(databaseUrl: string): Promise<void> {
  print(
    `Sockets, ${SOCKETS} open, ${STREAMS} receiving a text of ${PIECES} pieces, one every ${PACE_MS} ms, ${ROUNDS} rounds: ${machine()}`,
  );
  const sessions: string[] = [];
  await onBothBackends(async (queue, extra) => {
    for (const apis of [1, 2]) await measure(queue, { databaseUrl, apis, sessions, extra });
  });
}

interface Setting {
  databaseUrl: string;
  apis: number;
  /** Session tokens of the users, who sign up once. */
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
    // The same issuer for all apis, so that a token is valid on each.
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
  const readDelay = async ({ metricsPort }: { metricsPort: string }) =>
    (await readLoad(metricsPort)).delayP99;
  const figures = { delays: [] as number[], idle: [] as number[], pieces: 0, lost: 0 };
  const receiving = clients.slice(0, STREAMS);
  for (let round = -1; round < ROUNDS; round += 1) {
    await deleteJobs(databaseUrl);
    receiving.forEach((client) => client.begin());
    await Promise.all([...programs.map(readDelay), idle.readDelay()]);
    await inParallel(STREAMS, 10, (index) =>
      submitJob(addresses[(index + 1) % apis]!, tokens[index]!, `Stream ${round}-${index}`),
    );
    await until('all streams to end', () => receiving.every(({ hasEnded }) => hasEnded), { seconds: 60 });
    const [idleDelay, ...delays] = await Promise.all([idle.readDelay(), ...programs.map(readDelay)]);
    // Rounds below 0 warm up and are not counted.
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

/** A page's socket. Unlike the web client, it does not recover lost chunks. */
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
