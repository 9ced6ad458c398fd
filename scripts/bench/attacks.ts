import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startApi, startProcess, startWorker, type TestProcess } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { freePort } from '../stack/ports.ts';
import { readLoad } from '../stack/program-load.ts';
import { query } from '../stack/query.ts';
import { median } from '../stack/statistics.ts';
import { CommandError, print } from '../stack/terminal.ts';
import { machine } from './figures.ts';
import { signUpUsers, unlimited } from './users.ts';
import {
  attacks,
  endJobs,
  title,
  userOf,
  type Attack,
  type OtherRequest,
  type Target,
} from './attack-cases.ts';
import { readComposeWorker, readKubernetesWorker, residentMemoryOf } from './attack-memory.ts';
import type { OtherAnswer, OtherUserMessage, OtherUserOptions } from './other-user.ts';

/** Requests that another user sends before each attack, and the minimum during the attack. */
const REQUESTS = 20;
const READ_MEMORY_EVERY_MS = 200;
const programs = ['api', 'worker'] as const;
type Program = (typeof programs)[number];

export interface AttackOptions {
  /** Of attacks; all if empty. */
  numbers: number[];
  /** Runs the queue on Redis instead of PostgreSQL. */
  redis: boolean;
}

/**
 * Measures another user's requests and the memory of the programs during each attack.
 * @returns false if an attack caused more than asked
 */
export async function benchAttacks(
  databaseUrl: string,
  { numbers, redis: isOnRedis }: AttackOptions,
): Promise<boolean> {
  const unknown = numbers.filter((one) => !attacks.some(({ number }) => number === one));
  if (unknown.length > 0) {
    const known = [...new Set(attacks.map(({ number }) => number))].join(', ');
    throw new CommandError(`There is no attack ${unknown.join(', ')}; there are ${known}.`);
  }
  const chosen = attacks.filter(({ number }) => numbers.length === 0 || numbers.includes(number));
  const queue = isOnRedis ? 'Redis' : 'PostgreSQL';
  print(`Attacks by one account or stranger, queue on ${queue}; seconds of another user, median / slowest:`);
  let isMet = true;
  for (const attack of chosen) {
    const redis = isOnRedis ? await startRedis() : undefined;
    try {
      isMet = (await runWith(databaseUrl, attack, redis && { REDIS_URL: redis.url })) && isMet;
    } finally {
      await redis?.stop();
    }
  }
  return isMet;
}

/** Each attack meets new programs, so that its memory is its own. @param queue its environment variables */
async function runWith(databaseUrl: string, attack: Attack, queue: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const manifest = attack.worker ? readKubernetesWorker(attack.worker) : readComposeWorker();
  const ports = { api: await freePort(), worker: await freePort() };
  // The worker of the attack before was killed, and its slots count for 15 seconds more.
  await query(databaseUrl, 'DELETE FROM worker_slots');
  const variables = {
    LOG_LEVEL: 'fatal',
    AUTH_SECRET: unlimited.AUTH_SECRET,
    RATE_LIMIT_SIGN_UP: '1000',
    DATABASE_URL: databaseUrl,
    ...queue,
    SYNC_WAIT_SECONDS: '120',
    // Attacks from many addresses state them in a header.
    TRUSTED_PROXIES: 'loopback',
  };
  const api = await startApi({
    ...variables,
    ...attack.variables,
    PORT: String(await freePort()),
    METRICS_PORT: String(ports.api),
  });
  const worker = startWorker({ ...variables, ...manifest.variables, METRICS_PORT: String(ports.worker) });
  const exits: string[] = [];
  for (const [name, program] of Object.entries({ api, worker } as Record<string, TestProcess>))
    void program.ended.then(() => exits.push(name));
  try {
    await until('the worker', () => readLoad(ports.worker).then(Boolean, () => false), { seconds: 120 });
    const [token] = await signUpUsers(api.address, 1);
    const target = { address: api.address, databaseUrl, token: token!, readLog: api.output };
    if (attack.plan)
      await query(databaseUrl, `UPDATE users SET plan = '${attack.plan}' WHERE id = '${userOf(target)}'`);
    await attack.prepare?.(target);
    const isMet = await measureAttack(attack, target, ports, {
      pids: { api: api.pid, worker: worker.pid },
      limitMb: manifest.limitMb,
    });
    if (exits.length > 0) throw new Error(`Ended by the attack: ${exits.join(', ')}`);
    return isMet;
  } finally {
    await Promise.all([api, worker].map((program) => program.kill('SIGKILL')));
  }
}

async function measureAttack(
  attack: Attack,
  target: Target,
  ports: Record<Program, number>,
  { pids, limitMb }: { pids: Record<Program, number>; limitMb: number },
): Promise<boolean> {
  const hasOthers = attack.worker === undefined;
  const others = attack.others ?? [title];
  const measure = (during: () => Promise<void>) => measureOthers(target.address, others, during);
  const alone = hasOthers ? await measure(async () => {}) : [];
  const load = machine();

  const before = { api: residentMemoryOf(pids.api), worker: residentMemoryOf(pids.worker) };
  const most = { ...before };
  const readMemory = () => {
    for (const program of programs) most[program] = Math.max(most[program], residentMemoryOf(pids[program]));
  };
  const timer = setInterval(readMemory, READ_MEMORY_EVERY_MS);
  const readDelays = () =>
    Promise.all(programs.map(async (program) => Math.round((await readLoad(ports[program])).delayP99)));
  // A program's delay is that since the last reading.
  await readDelays();
  let statuses: number[] = [];
  let seconds = 0;
  const run = async () => {
    const startedAt = performance.now();
    statuses = await attack.run(target);
    seconds = (performance.now() - startedAt) / 1_000;
  };
  let attacked: OtherAnswer[] = [];
  try {
    if (hasOthers) attacked = await measure(run);
    else await run();
  } finally {
    clearInterval(timer);
  }
  const delays = await readDelays();
  readMemory();

  const figures = [
    `answers ${countOf(statuses)}`,
    `memory api ${added(before.api, most.api)}, worker ${added(before.worker, most.worker)} of ${limitMb} MB`,
    ...(hasOthers ? [`event loop p99 ${delays.join(' / ')} ms`, ...formatTimes(alone, attacked)] : []),
    load,
  ];
  print(`  ${attack.number}: ${attack.name}\n      ${figures.reverse().join('; ')}`);
  await endJobs(target);
  if (attack.sendAlike) await compare(target, alone, measure, (sink) => attack.sendAlike!(sink, seconds));

  const { slowest, apiMegabytes, workerShare } = attack.allowed ?? {};
  const results: [asked: string, isMet: boolean][] = [];
  if (slowest !== undefined)
    results.push([`slowest below ${slowest} s`, Math.max(...attacked.map((one) => one.seconds)) < slowest]);
  if (hasOthers)
    results.push([
      'every request of the other user succeeds',
      attacked.every(({ status }) => status === 200),
    ]);
  if (apiMegabytes !== undefined)
    results.push([`api at most +${apiMegabytes} MB`, most.api - before.api <= apiMegabytes]);
  if (workerShare !== undefined)
    results.push([
      `worker at most ${Math.round(limitMb * workerShare)} MB`,
      most.worker <= limitMb * workerShare,
    ]);
  const wrong = await attack.check?.(target, statuses);
  if (wrong !== undefined) results.push([wrong ?? 'checked', wrong === null]);
  for (const [asked, isMet] of results) print(`      asked: ${asked}: ${isMet ? 'met' : 'NOT MET'}`);
  return results.every(([, isMet]) => isMet);
}

const added = (before: number, most: number) => `${Math.round(before)} to ${Math.round(most)}`;

type MeasureOthers = (during: () => Promise<void>) => Promise<OtherAnswer[]>;

/** Measures how much of the slowdown is the machine's: sends the attack's bytes to a server that discards them. */
async function compare(
  target: Target,
  alone: OtherAnswer[],
  measure: MeasureOthers,
  send: (sink: Target) => Promise<unknown>,
): Promise<void> {
  const port = await freePort();
  const sink = startProcess('scripts/bench/sink.ts', { PORT: String(port) });
  try {
    const address = `http://127.0.0.1:${port}`;
    await until('the server that only reads', () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const attacked = await measure(async () => void (await send({ ...target, address })));
    print(
      `      the same bytes to a server that only reads them: ${formatTimes(alone, attacked).join('; ')}`,
    );
  } finally {
    await sink.kill('SIGKILL');
  }
}

function formatTimes(alone: OtherAnswer[], attacked: OtherAnswer[]): string[] {
  const pair = (values: number[]) => `${median(values).toFixed(2)} / ${Math.max(...values).toFixed(2)}`;
  return [...new Set(attacked.map(({ name }) => name))].map((name) => {
    const ofName = (answers: OtherAnswer[]) => answers.filter((one) => one.name === name);
    const [before, during] = [alone, attacked].map((answers) =>
      ofName(answers).map(({ seconds }) => seconds),
    );
    const ratio = (median(during!) / median(before!)).toFixed(1);
    const statuses = countOf(ofName(attacked).map(({ status }) => status));
    return `${name} alone ${pair(before!)}, attacked ${pair(during!)} s, ratio ${ratio} (${statuses})`;
  });
}

/** Measures another user's requests during an attack. */
async function measureOthers(
  address: string,
  requests: OtherRequest[],
  attack: () => Promise<void>,
): Promise<OtherAnswer[]> {
  const workerData: OtherUserOptions = { address, requests, minimum: REQUESTS };
  const user = new Worker(new URL('other-user.ts', import.meta.url), { workerData });
  const answers: OtherAnswer[] = [];
  let attacked: Promise<void> | undefined;
  for await (const [message] of on(user, 'message', { close: ['exit'] }) as AsyncIterable<
    [OtherUserMessage]
  >) {
    if (message === 'ready') {
      attacked = attack().finally(() => user.postMessage('stop'));
    } else {
      answers.push(message);
    }
  }
  await attacked;
  return answers;
}

function countOf(statuses: number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses.toSorted((a, b) => a - b)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
}
