import { createHash } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { until } from '../../test/support/until.ts';
import { query } from '../stack/query.ts';
import type { TemporaryProduct } from '../stack/temporary-product.ts';
import { print, styled } from '../stack/terminal.ts';
import { checkExchange } from './checks.ts';
import { ApiDocument, type OpenApi, type Operation } from './document.ts';
import { bytesOf, type FuzzRequest } from './draft.ts';
import { makeFiles } from './files.ts';
import { IdleThread, readLoad, type ProgramLoad } from '../stack/program-load.ts';
import { mcpRequests } from './mcp.ts';
import { otherRequests, REDIRECT } from './other-requests.ts';
import { rawAttacks, StalledRequests, type Attack } from './raw-http.ts';
import { requestsOf, validRequestsOf, type World } from './requests.ts';
import { socketAttacks } from './sockets.ts';
import { FuzzUsers } from './users.ts';
import { exchange, printable, type Answer } from './wire.ts';

/** Requests that share users and their data. */
const REQUESTS_PER_USERS = 500;
const CONCURRENCY = 4;
/** After this many requests another user runs a job, which must end within this time. */
const PROBE_EVERY = 100;
const PROBE_WITHIN_MS = 10_000;
const MEASURE_EVERY = 250;
/** The memory limits are lower than in the compose file. */
const LIMITS: Record<'api' | 'worker', ProgramLoad> = {
  api: { delayP99: 200, megabytes: 800 },
  worker: { delayP99: 200, megabytes: 2_150 },
};
/** A token lasts five minutes, in which a busy machine does not even prepare the data of the users. */
const RENEW_EVERY_MS = 120_000;
/** Valid requests to one operation until one succeeds, at most. */
const TRIES = 40;
const NEVER_SUCCEEDS = [
  // Clerk's: this product has local accounts.
  'take-clerk-event',
  'allow-app',
  // This product has no payment.
  'take-stripe-event',
  // It needs the model that VARIABLES switch off.
  'preview-object-mask',
];
/** No job of the queue would start until it is resumed. */
const PAUSES_QUEUE = 'admin-pause-queue';
const MAX_FAILURES = 20;

export interface Options {
  seed: number;
  requests: number;
  only: number | undefined;
  /** Prints how many requests each operation accepted. */
  coverage: boolean;
}

/** A run of the fuzzer. Each request is a function of the seed and its number. */
export class Fuzz {
  private readonly product: TemporaryProduct;
  private readonly metricsPorts: Record<'api' | 'worker', number>;
  private readonly idle = new IdleThread();
  private readonly peak = {
    api: { delayP99: 0, megabytes: 0 },
    worker: { delayP99: 0, megabytes: 0 },
  };
  private readonly options: Options;
  private readonly failures: string[] = [];
  private readonly statuses = new Map<number, number>();
  private readonly counts = { http: 0, raw: 0, sockets: 0 };
  /** Random requests by operation. */
  private readonly coverage = new Map<string, { sent: number; accepted: number }>();
  private slowestProbe = 0;

  constructor(product: TemporaryProduct, metricsPorts: Record<'api' | 'worker', number>, options: Options) {
    this.product = product;
    this.metricsPorts = metricsPorts;
    this.options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { seed, requests, only } = this.options;
    const { address, databaseUrl, port } = this.product;
    const document = new ApiDocument((await (await fetch(`${address}/api/openapi.json`)).json()) as OpenApi);
    const files = await makeFiles(seed);
    const setRole = async (id: string) =>
      void (await query(databaseUrl, `UPDATE users SET role = 'admin' WHERE id = '${id}'`));
    const users = new FuzzUsers(address, files, setRole);
    const renewal = setInterval(() => void users.renewTokens(), RENEW_EVERY_MS).unref();
    const [stranger, resumer, clientId] = await Promise.all([
      users.premium('stranger'),
      users.operator(),
      users.app(REDIRECT),
    ]);
    const resumeQueues = () => users.resumeQueues(resumer);
    // The first reading ends the measurement of the programs' start.
    await this.readLoads();
    const stalled = new StalledRequests(port, stranger.token);
    const makeWorld = async (): Promise<World> => {
      const [free, premium, operator, leaver, ...managed] = await Promise.all([
        users.free(),
        users.premium(),
        users.operator(),
        users.leaver(),
        users.managed(),
        users.managed(),
        users.managed(),
      ]);
      await users.hide(operator, premium);
      const program = await users.program(premium);
      return {
        document,
        files,
        clientId,
        stranger,
        managed,
        users: { free, premium, program, operator, leaver },
      };
    };
    if (only === undefined) await this.tryAll({ world: await makeWorld(), resumeQueues }, signal);
    const last = only === undefined ? requests : only + 1;
    for (let first = only ?? 0; first < last && !signal.aborted; first += REQUESTS_PER_USERS) {
      const world = await makeWorld();
      const attacks = attacksOf(world);
      let next = first;
      const end = Math.min(first + REQUESTS_PER_USERS, last);
      const work = async () => {
        while (next < end && this.failures.length < MAX_FAILURES && !signal.aborted) {
          const number = next++;
          await this.attack(number, attacks, { world, resumeQueues });
          if (number % PROBE_EVERY === PROBE_EVERY - 1) await this.probe(() => users.writeTitle(stranger));
          if (number % MEASURE_EVERY === MEASURE_EVERY - 1) await this.measure();
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    }
    clearInterval(renewal);
    await this.measure();
    this.failures.push(...stalled.end());
    if (!signal.aborted) await this.checkEnd(databaseUrl);
  }

  private async readLoads() {
    const { api, worker } = this.metricsPorts;
    return { idle: await this.idle.readDelay(), api: await readLoad(api), worker: await readLoad(worker) };
  }

  private async measure(): Promise<void> {
    const { idle, ...loads } = await this.readLoads();
    for (const name of ['api', 'worker'] as const) {
      const { delayP99, megabytes } = this.peak[name];
      this.peak[name] = {
        delayP99: Math.max(delayP99, loads[name].delayP99 - idle),
        megabytes: Math.max(megabytes, loads[name].megabytes),
      };
    }
  }

  /** Sends valid requests to each operation until one succeeds. Deletions come last, those of the whole after those of its parts. */
  private async tryAll(target: Target, signal: AbortSignal): Promise<void> {
    const { operations } = target.world.document;
    const step = ({ id, method, path }: Operation) =>
      method === 'DELETE' || id === 'delete-creations' ? 1_000 - path.length : method === 'GET' ? 0 : 1;
    for (const operation of operations.toSorted((one, other) => step(one) - step(other))) {
      if (NEVER_SUCCEEDS.includes(operation.id)) continue;
      const requests = validRequestsOf(operation, target.world);
      let answer: Answer | undefined;
      for (let count = 0; count < TRIES && !hasSucceeded(answer); count += 1) {
        if (signal.aborted) return;
        const request = sample(requests, this.seedOf(`${operation.id}/${count}`));
        answer = await this.send(request, target, '--requests 0');
      }
      if (!hasSucceeded(answer))
        this.failures.push(
          `${operation.id} never answered with success, at last with ${answer?.status} ${answer?.body.toString()}`,
        );
    }
  }

  private seedOf(name: string | number): number {
    return createHash('sha256').update(`${this.options.seed}/${name}`).digest().readInt32LE();
  }

  private async attack(number: number, attacks: Attacks, target: Target): Promise<void> {
    const seed = this.seedOf(number);
    const kind = number % 20;
    if (kind === 7 || kind === 13) return this.tryRaw(number, sample(attacks.raw, seed), 'raw');
    if (kind === 17) return this.tryRaw(number, sample(attacks.sockets, seed), 'sockets');
    const { operations } = attacks;
    const requests =
      kind === 3 || kind === 11 ? attacks.other : operations[(seed >>> 0) % operations.length]!;
    const request = sample(requests, seed);
    const answer = await this.send(request, target, `--only ${number}`);
    const covered = this.coverage.get(request.from) ?? { sent: 0, accepted: 0 };
    covered.sent += 1;
    if (answer && answer.status < 400) covered.accepted += 1;
    this.coverage.set(request.from, covered);
  }

  /** @param repeat the arguments that repeat it */
  private async send(
    request: FuzzRequest,
    { world, resumeQueues }: Target,
    repeat: string,
  ): Promise<Answer | undefined> {
    const bytes = bytesOf(request);
    const result = await exchange(this.product.port, [bytes], [request.method]);
    this.counts.http += 1;
    const [answer] = result.answers;
    if (answer) this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (request.from === PAUSES_QUEUE && answer?.status === 200) await resumeQueues();
    const problems = checkExchange(world, request, result);
    const name = `${request.from} as ${request.user?.name ?? 'nobody'}`;
    if (problems.length > 0) this.fail(name, problems, redact(request, bytes), repeat);
    return answer;
  }

  private async tryRaw(number: number, attack: Attack, kind: 'raw' | 'sockets'): Promise<void> {
    this.counts[kind] += 1;
    const { problems, sent } = await attack.run(this.product.port);
    if (problems.length > 0) this.fail(attack.name, problems, sent, `--only ${number}`);
  }

  /** Checks that another user is still served. */
  private async probe(work: () => Promise<number>): Promise<void> {
    try {
      const took = await work();
      this.slowestProbe = Math.max(this.slowestProbe, took);
      if (took > PROBE_WITHIN_MS) this.failures.push(`Another user's title took ${Math.round(took)} ms.`);
    } catch (error) {
      this.failures.push(`Another user could not work: ${(error as Error).message}`);
    }
  }

  /** Checks that every job has ended and both programs still run. */
  private async checkEnd(databaseUrl: string): Promise<void> {
    const unfinished = `SELECT FROM jobs WHERE status IN ('queued', 'running')`;
    const haveEnded = async () => (await query(databaseUrl, unfinished)).rowCount === 0;
    await until('all jobs to end', haveEnded, { seconds: 120 }).catch((error: Error) =>
      this.failures.push(error.message),
    );
    this.failures.push(...this.product.endedPrograms());
  }

  private fail(name: string, problems: string[], sent: string, repeat: string): void {
    const command = `npm run fuzz -- --seed ${this.options.seed} ${repeat}`;
    this.failures.push(
      `${problems.join('\n')}\n${styled('dim', `${name}; repeat it with ${command}`)}\n${sent}`,
    );
  }

  /** @returns the exit code */
  report(milliseconds: number): number {
    const { seed } = this.options;
    for (const name of ['api', 'worker'] as const) {
      const { delayP99, megabytes } = this.peak[name];
      const limit = LIMITS[name];
      print(
        `${name.padEnd(7)} event loop delay at p99 beyond that of an idle thread ${delayP99.toFixed(0)} ms (limit ${limit.delayP99}), memory ${megabytes.toFixed(0)} MB (limit ${limit.megabytes})`,
      );
      if (delayP99 > limit.delayP99) this.failures.push(`The event loop of the ${name} was blocked.`);
      if (megabytes > limit.megabytes) this.failures.push(`The ${name} used too much memory.`);
    }
    print(`Another user's slowest title: ${Math.round(this.slowestProbe)} ms.`);
    const statuses = [...this.statuses].toSorted(([a], [b]) => a - b);
    print(`Statuses: ${statuses.map(([status, count]) => `${status} × ${count}`).join(', ')}.`);
    this.reportCoverage();
    const { http, raw, sockets } = this.counts;
    const sum = `${http} requests, ${raw} raw connections, ${sockets} sockets in ${(milliseconds / 1000).toFixed(0)} s`;
    for (const failure of this.failures) print(`\n${styled('red', '✗')} ${failure}`);
    print(
      this.failures.length === 0
        ? `${styled('green', '✓')} Fuzz: ${sum}, seed ${seed}: no failure.`
        : `\n${styled('red', `Fuzz: ${sum}, seed ${seed}: ${this.failures.length} failures.`)}`,
    );
    return this.failures.length === 0 ? 0 : 1;
  }

  /** Names the operations whose random requests were all refused; with `--coverage`, all with their numbers. */
  private reportCoverage(): void {
    const all = [...this.coverage].toSorted(([one], [other]) => one.localeCompare(other));
    if (this.options.coverage)
      for (const [from, { sent, accepted }] of all)
        print(`${from.padEnd(40)} ${String(sent).padStart(5)} requests, ${accepted} accepted`);
    const refused = all.filter(([from, { accepted }]) => !from.startsWith('/') && accepted === 0);
    if (refused.length > 0)
      print(
        `All random requests were refused: ${refused.map(([from, { sent }]) => `${from} (${sent})`).join(', ')}.`,
      );
  }
}

/** Where requests go, and what undoes a pause of the queues. */
interface Target {
  world: World;
  resumeQueues: () => Promise<void>;
}

interface Attacks {
  operations: Arbitrary<FuzzRequest>[];
  other: Arbitrary<FuzzRequest>;
  raw: Arbitrary<Attack>;
  sockets: Arbitrary<Attack>;
}

const attacksOf = (world: World): Attacks => ({
  operations: world.document.operations.map((operation) => requestsOf(operation, world)),
  other: fc.oneof(
    { weight: 2, arbitrary: otherRequests(world) },
    { weight: 1, arbitrary: mcpRequests(world) },
  ),
  raw: rawAttacks,
  sockets: socketAttacks(world.users.free.token),
});

const hasSucceeded = (answer: Answer | undefined) => answer !== undefined && answer.status < 300;

const sample = <T>(arbitrary: Arbitrary<T>, seed: number): T =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0]!;

/** The request as text, with names for tokens, which differ in each run. */
const redact = ({ user }: FuzzRequest, bytes: Buffer) =>
  user
    ? printable(bytes)
        .replaceAll(user.token, `<token of ${user.name}>`)
        .replaceAll(user.session, `<session of ${user.name}>`)
    : printable(bytes);
