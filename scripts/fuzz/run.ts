import { createHash } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { until } from '../../test/support/until.ts';
import { query } from '../stack/query.ts';
import type { TemporaryProduct } from '../stack/temporary-product.ts';
import { print, styled } from '../stack/terminal.ts';
import { checkExchange } from './checks.ts';
import { ApiDocument, type OpenApi } from './document.ts';
import { bytesOf, type FuzzRequest } from './draft.ts';
import { makeFiles } from './files.ts';
import { IdleThread, readLoad, type ProgramLoad } from '../stack/program-load.ts';
import { rawAttacks, StalledRequests, type Attack } from './raw-http.ts';
import { otherRequests, requestsOf, type World } from './requests.ts';
import { socketAttacks } from './sockets.ts';
import { FuzzUsers } from './users.ts';
import { exchange, printable } from './wire.ts';

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
  worker: { delayP99: 200, megabytes: 1_700 },
};
/** From this number of requests on, every operation must have succeeded once. */
const ALL_SUCCEED_FROM = 4_000;
/** Clerk's: this product has local accounts. */
const NEVER_SUCCEEDS = ['take-clerk-event', 'allow-app'];
const MAX_FAILURES = 20;

export interface Options {
  seed: number;
  requests: number;
  only: number | undefined;
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
  private readonly succeeded = new Set<string>();
  private readonly counts = { http: 0, raw: 0, sockets: 0 };
  private slowestProbe = 0;
  private operations: string[] = [];

  constructor(product: TemporaryProduct, metricsPorts: Record<'api' | 'worker', number>, options: Options) {
    this.product = product;
    this.metricsPorts = metricsPorts;
    this.options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { seed, requests, only } = this.options;
    const { address, databaseUrl, port } = this.product;
    const document = new ApiDocument((await (await fetch(`${address}/api/openapi.json`)).json()) as OpenApi);
    this.operations = document.operations.map(({ id }) => id);
    const files = await makeFiles(seed);
    const setRole = async (id: string) =>
      void (await query(databaseUrl, `UPDATE users SET role = 'admin' WHERE id = '${id}'`));
    const users = new FuzzUsers(address, files, setRole);
    const stranger = await users.premium('stranger');
    // The first reading ends the measurement of the programs' start.
    await this.readLoads();
    const stalled = new StalledRequests(port);
    const last = only === undefined ? requests : only + 1;
    for (let first = only ?? 0; first < last && !signal.aborted; first += REQUESTS_PER_USERS) {
      await users.renewToken(stranger);
      const [free, premium, operator, leaver] = await Promise.all([
        users.free(),
        users.premium(),
        users.operator(),
        users.leaver(),
      ]);
      const program = await users.program(premium);
      const world: World = {
        document,
        files,
        stranger,
        users: { free, premium, program, operator, leaver },
      };
      const attacks = attacksOf(world);
      let next = first;
      const end = Math.min(first + REQUESTS_PER_USERS, last);
      const work = async () => {
        while (next < end && this.failures.length < MAX_FAILURES && !signal.aborted) {
          const number = next++;
          await this.attack(number, attacks, world, port);
          if (number % PROBE_EVERY === PROBE_EVERY - 1) await this.probe(() => users.writeTitle(stranger));
          if (number % MEASURE_EVERY === MEASURE_EVERY - 1) await this.measure();
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    }
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

  private async attack(number: number, attacks: Attacks, world: World, port: number): Promise<void> {
    const seed = createHash('sha256').update(`${this.options.seed}/${number}`).digest().readInt32LE();
    const kind = number % 20;
    if (kind === 7 || kind === 13) return this.tryRaw(number, sample(attacks.raw, seed), port, 'raw');
    if (kind === 17) return this.tryRaw(number, sample(attacks.sockets, seed), port, 'sockets');
    const requests =
      kind === 3 || kind === 11 ? attacks.other : attacks.operations[number % attacks.operations.length]!;
    const request = sample(requests, seed);
    const bytes = bytesOf(request);
    const result = await exchange(port, [bytes], [request.method]);
    this.counts.http += 1;
    const [answer] = result.answers;
    if (answer) this.count(request, answer.status);
    const problems = checkExchange(world, request, result);
    if (problems.length > 0)
      this.fail(
        number,
        `${request.from} as ${request.user?.name ?? 'nobody'}`,
        problems,
        redact(request, bytes),
      );
  }

  private async tryRaw(number: number, attack: Attack, port: number, kind: 'raw' | 'sockets'): Promise<void> {
    this.counts[kind] += 1;
    const { problems, sent } = await attack.run(port);
    if (problems.length > 0) this.fail(number, attack.name, problems, sent);
  }

  private count(request: FuzzRequest, status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status < 300) this.succeeded.add(request.from);
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

  private fail(number: number, name: string, problems: string[], sent: string): void {
    const repeat = `npm run fuzz -- --seed ${this.options.seed} --only ${number}`;
    this.failures.push(
      `${problems.join('\n')}\n${styled('dim', `${name}; repeat it with ${repeat}`)}\n${sent}`,
    );
  }

  /** @returns the exit code */
  report(milliseconds: number): number {
    const { requests, only, seed } = this.options;
    const missing = this.operations.filter((id) => !this.succeeded.has(id) && !NEVER_SUCCEEDS.includes(id));
    if (only === undefined && requests >= ALL_SUCCEED_FROM && missing.length > 0)
      this.failures.push(`Never answered with success: ${missing.join(', ')}.`);
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
}

interface Attacks {
  operations: Arbitrary<FuzzRequest>[];
  other: Arbitrary<FuzzRequest>;
  raw: Arbitrary<Attack>;
  sockets: Arbitrary<Attack>;
}

const attacksOf = (world: World): Attacks => ({
  operations: world.document.operations.map((operation) => requestsOf(operation, world)),
  other: otherRequests(world),
  raw: rawAttacks,
  sockets: socketAttacks(world.users.free.token),
});

const sample = <T>(arbitrary: Arbitrary<T>, seed: number): T =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0]!;

/** The request as text, with names for tokens, which differ in each run. */
const redact = ({ user }: FuzzRequest, bytes: Buffer) =>
  user
    ? printable(bytes)
        .replaceAll(user.token, `<token of ${user.name}>`)
        .replaceAll(user.session, `<session of ${user.name}>`)
    : printable(bytes);
