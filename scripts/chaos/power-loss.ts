import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { aborted } from '../stack/command.ts';
import { CommandError, print, styled } from '../stack/terminal.ts';
import { Random } from '../stack/random.ts';
import { until } from '../../test/support/until.ts';
import { inParallel } from '../bench/product.ts';
import { saveEvidence } from './backend.ts';
import { ChaosUser } from './chaos-user.ts';
import { checkRound } from './check.ts';
import { readRows } from './evidence.ts';
import { makeFiles, type Files } from './files.ts';
import { startLocalWorld, type LocalWorld } from './local-world.ts';
import { isEnded } from './log.ts';
import { LoopDisk } from './loop-disk.ts';
import { findLosses, type Losses } from './losses.ts';
import { settle } from './round.ts';
import { submissionBody, submissionPath, type Submission } from './submissions.ts';

const cutNames = ['powerLoss', 'fullDisk', 'emptyQueue', 'powerLoss', 'kill', 'powerLoss'] as const;
type CutName = (typeof cutNames)[number];
const DESCRIPTIONS: Record<CutName, string> = {
  powerLoss: 'losses of power',
  kill: 'kill -9 of all programs and services',
  emptyQueue: 'emptied queues (FLUSHALL, TRUNCATE)',
  fullDisk: 'full disks',
};

const USERS = 8;
/** Below a free user's monthly credits. */
const JOBS_OF_USER = 25;
const JOBS_OF_ROUND = USERS * JOBS_OF_USER;
/** Concurrent submissions of a user. */
const CONNECTIONS = 2;
/** Few reviews, which take most of the time of a processor. */
const FREE_TOOLS: Submission[] = [
  ...(['article', 'titles', 'article', 'titles', 'article', 'review'] as const),
  ...(['titles', 'article', 'titles', 'article', 'titles', 'article'] as const),
];
const PREMIUM_TOOLS: Submission[] = ['article', 'image', 'titles', 'article'];
/** Milliseconds after the first submission. */
const [MIN_CUT_MS, MAX_CUT_MS] = [100, 2_500];
const DISK_FULL_MS = 4_000;
/** Seconds until a submission must be accepted. */
const ACCEPTED_WITHIN = 240;
const RETRY_MS = 300;
const READ_TRIES = 20;
/** Every call to the provider is answered, also on a busy machine. */
const PATIENT = { AI_FIRST_TOKEN_SECONDS: '60', AI_IDLE_SECONDS: '60', AI_IMAGE_SECONDS: '120' };
const DISK_MB = 2_048;
const MAX_PRINTED = 10;

interface Run {
  backend: 'postgres' | 'redis';
  seed: number;
  jobs: number;
  postgresSettings: Record<string, string>;
  signal: AbortSignal;
  cleanup: AsyncDisposableStack;
}

export interface PowerLossOutcome {
  backend: string;
  cuts: Partial<Record<CutName, number>>;
  accepted: number;
  lost: number;
  doubled: number;
  /** Violations of the rules of chaos. */
  violations: number;
  seconds: number;
}

type Result = Record<keyof Losses | 'violations', string[]>;

type Disks = Record<'database' | 'redis' | 'files', LoopDisk>;

/**
 * Submits jobs in rounds while everything is killed, the queue is emptied, a disk is full, or all disks lose what was not
 * synced. After each round all accepted jobs must have ended once, and after the last round all jobs of all rounds.
 */
export async function runPowerLoss(run: Run): Promise<PowerLossOutcome> {
  const { backend, seed, jobs, signal } = run;
  const began = performance.now();
  const disks = await makeDisks(run);
  const world = await startLocalWorld(backend, {
    folders: { database: disks.database.folder, redis: disks.redis.folder, files: disks.files.folder },
    postgresSettings: run.postgresSettings,
    variables: PATIENT,
    programs: 1,
  });
  run.cleanup.defer(() => world.close());
  for (const disk of Object.values(disks)) disk.sync();

  const outcome = {
    backend,
    cuts: {},
    accepted: 0,
    lost: 0,
    doubled: 0,
    violations: 0,
    seconds: 0,
  } as PowerLossOutcome;
  const files = await makeFiles();
  const users: ChaosUser[] = [];
  let result: Result = { lost: [], doubled: [], violations: [] };
  const rounds = Math.ceil(jobs / JOBS_OF_ROUND);
  try {
    for (let i = 0; i < rounds && !signal.aborted; i += 1) {
      const cut = cutNames[i % cutNames.length]!;
      const random = new Random(seed + i);
      const own = await signUp(world, `power${seed}r${i + 1}`);
      users.push(...own);
      const startedAt = performance.now();
      const round = runRound({ world, disks, files, users: own, random, cut, isCut: false });
      const broken = await Promise.race([round, untilAborted(signal)]);
      outcome.cuts[cut] = (outcome.cuts[cut] ?? 0) + 1;
      report(`${backend}, round ${i + 1} (${cut})`, broken, world, own);
      outcome.violations += broken.violations.length;
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      print(`  ${backend}: round ${i + 1} of ${rounds}, ${cut}, ${seconds} s`);
    }
    signal.throwIfAborted();
    // A later loss of power must not lose the work of an earlier round.
    result = await readAndCheck(world, users);
    result.violations.push(...world.problems());
  } catch (error) {
    if (signal.aborted) throw error;
    result.lost = acceptedIds(users).map((id) => `job ${id} cannot be read`);
    result.violations.push(`The programs did not recover: ${(error as Error).message}`);
    print(`${styled('red', '✗')} ${backend} did not recover: ${(error as Error).message}`);
  }
  report(`${backend}, after all rounds`, result, world, users);
  outcome.accepted = acceptedIds(users).length;
  outcome.lost = result.lost.length;
  outcome.doubled = result.doubled.length;
  outcome.violations += result.violations.length;
  outcome.seconds = Math.round((performance.now() - began) / 1_000);
  return outcome;
}

export function describePowerLoss(outcome: PowerLossOutcome): string {
  const { backend, cuts, accepted, lost, doubled, violations, seconds } = outcome;
  const rounds = Object.entries(cuts).map(([name, count]) => `${count} ${DESCRIPTIONS[name as CutName]}`);
  const isWhole = lost + doubled + violations === 0;
  return [
    `${isWhole ? styled('green', '✓') : styled('red', '✗')} ${backend}: ${accepted} accepted, ${lost} lost, ${doubled} doubled, `,
    `${violations} other violations in ${seconds} s; ${rounds.join(', ')}`,
  ].join('');
}

/** Rejects once the signal is aborted. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason;
}

async function makeDisks({ cleanup }: Run): Promise<Disks> {
  if (!LoopDisk.isPossible())
    throw new CommandError(
      'Losses of power need Linux, root and the right to mount file systems (CAP_SYS_ADMIN).',
    );
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-power-loss-'));
  // PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o711);
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const disk = async (name: string) => {
    const made = new LoopDisk(join(folder, name), DISK_MB);
    cleanup.defer(() => made.close());
    await made.testLoss();
    return made;
  };
  return { database: await disk('database'), redis: await disk('redis'), files: await disk('files') };
}

const signUp = (world: LocalWorld, name: string) =>
  Promise.all(
    Array.from({ length: USERS }, (_, i) =>
      ChaosUser.signUp(world, `${name}u${i + 1}`, {
        plan: i % 2 === 0 ? 'free' : 'premium',
        isProgram: false,
      }),
    ),
  );

interface Round {
  world: LocalWorld;
  disks: Disks;
  files: Files;
  users: ChaosUser[];
  random: Random;
  cut: CutName;
  /** True after the cut. */
  isCut: boolean;
}

async function runRound(round: Round): Promise<Result> {
  const { world, users, random } = round;
  const cutAfter = random.whole(MIN_CUT_MS, MAX_CUT_MS);
  const cutting = pause(cutAfter)
    .then(() => makeCut(round))
    .finally(() => (round.isCut = true));
  await Promise.all([...users.map((user) => submitAll(user, round)), cutting]);
  await settle(world, users);
  return readAndCheck(world, users);
}

/** Reads the results of all users through the api, and compares their jobs with the tables. */
async function readAndCheck(world: LocalWorld, users: ChaosUser[]): Promise<Result> {
  const readable = new Set<string>();
  await inParallel(users.length, USERS, (i) => readResults(users[i]!, readable));
  const logs = users.map(({ log }) => log);
  const evidence = {
    users: logs,
    rows: await readRows(
      world,
      logs.map(({ id }) => id),
    ),
  };
  return { ...findLosses(evidence, readable), violations: checkRound(evidence) };
}

function report(what: string, result: Result, world: LocalWorld, users: ChaosUser[]): void {
  const broken = Object.entries(result).filter(([, found]) => found.length > 0);
  if (broken.length === 0) return;
  for (const [kind, found] of broken) {
    print(`${styled('red', '✗')} ${what}: ${found.length} ${kind}`);
    for (const one of found.slice(0, MAX_PRINTED)) print(`    ${one}`);
  }
  const evidence = { result, users: users.map(({ log }) => log) };
  print(`    Evidence: ${saveEvidence(world, evidence)}`);
}

async function makeCut({ world, disks, cut, random }: Round): Promise<void> {
  const all: LoopDisk[] = Object.values(disks);
  switch (cut) {
    case 'emptyQueue':
      return world.emptyQueue();
    case 'fullDisk': {
      const disk = random.pick(all);
      disk.fill();
      await pause(DISK_FULL_MS);
      disk.makeRoom();
      return;
    }
    default:
      await world.killAll();
      if (cut === 'powerLoss') await Promise.all(all.map((disk) => disk.losePower()));
      await world.startAll();
  }
}

/**
 * Submits a user's jobs, each with an `Idempotency-Key` until it is accepted, and those accepted before the cut once more
 * after it.
 */
async function submitAll(user: ChaosUser, round: Round): Promise<void> {
  const { files, random } = round;
  const tools = user.log.plan === 'free' ? FREE_TOOLS : PREMIUM_TOOLS;
  const planned = Array.from({ length: JOBS_OF_USER }, (_, i) => ({
    tool: tools[i % tools.length]!,
    marker: `${user.log.name}n${i + 1}e`,
    share: random.next(),
  }));
  const send = async ({ tool, marker, share }: (typeof planned)[0], api: number) => {
    const key = `key-${marker}`;
    const { status, body } = await user.call(submissionPath(tool), {
      ...submissionBody(files, tool, { marker, text: `Chaos ${marker} tomatoes`, share }),
      headers: { Prefer: 'respond-async', 'Idempotency-Key': key },
      api,
    });
    const jobId = body.job?.id ?? body.jobId;
    if (status === null || status >= 300 || !jobId) return false;
    user.log.accepted.push({ jobId, tool, marker, key, retryOf: null });
    return true;
  };
  const untilAccepted = async (job: (typeof planned)[0]) => {
    const deadline = performance.now() + ACCEPTED_WITHIN * 1_000;
    for (let tries = 0; !(await send(job, tries)); tries += 1) {
      if (performance.now() > deadline) throw new Error(`${job.tool} ${job.marker} is not accepted.`);
      await pause(RETRY_MS);
    }
  };
  const queue = [...planned];
  const acceptedBefore: typeof planned = [];
  const connection = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      await untilAccepted(job);
      if (!round.isCut) acceptedBefore.push(job);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  await until('the cut to end', () => round.isCut, { seconds: ACCEPTED_WITHIN, every: 100 });
  for (const job of acceptedBefore) await untilAccepted(job);
}

/** Reads each job's result, and downloads its file. */
async function readResults(user: ChaosUser, readable: Set<string>): Promise<void> {
  for (const id of acceptedIds([user])) {
    const { status, body } = await user.callUntilAnswered(`/api/jobs/${id}`, {}, READ_TRIES);
    const content = body.job?.result?.content;
    if (status !== 200 || !body.job || !isEnded(body.job)) continue;
    if (typeof content !== 'string' || content === '') continue;
    if (!content.includes('/files/') || (await user.download(content, 0)) === 200) readable.add(id);
  }
}

const acceptedIds = (users: ChaosUser[]) => [
  ...new Set(users.flatMap(({ log }) => log.accepted.map(({ jobId }) => jobId))),
];
