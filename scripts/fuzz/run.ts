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
import { LoadMeter, type Load } from './load.ts';
import { HeldRequests, rawAttacks, type Attack } from './raw-http.ts';
import { otherRequests, requestsOf, type World } from './requests.ts';
import { socketAttacks } from './sockets.ts';
import { Scene } from './users.ts';
import { exchange, printable } from './wire.ts';

/** Requests that share users and their things. */
const REQUESTS_PER_SCENE = 500;
const AT_ONCE = 4;
/** A user of the product works after this many requests, within this time. */
const WORK_EVERY = 100;
const WORK_WITHIN_MS = 10_000;
const MEASURE_EVERY = 250;
/** Memory: below what the compose file allows each. */
const LIMITS: Record<'api' | 'worker', Load> = {
  api: { delayP99: 200, megabytes: 800 },
  worker: { delayP99: 200, megabytes: 1_700 },
};
/** From this number on, every operation must have been answered as documented for success. */
const ALL_SUCCEED_FROM = 4_000;
/** No webhook has a signing secret here. */
const NEVER_SUCCEEDS = ['take-clerk-event'];
const MOST_FAILURES = 20;

export interface Options {
  seed: number;
  requests: number;
  only: number | undefined;
}

/** One run of the fuzz. Each request is made from the seed and its number alone, so that both repeat it. */
export class Fuzz {
  private readonly product: TemporaryProduct;
  private readonly meter: LoadMeter;
  private readonly options: Options;
  private readonly failures: string[] = [];
  private readonly statuses = new Map<number, number>();
  private readonly succeeded = new Set<string>();
  private readonly kinds = { http: 0, raw: 0, sockets: 0 };
  private slowestWork = 0;
  private operations: string[] = [];

  constructor(product: TemporaryProduct, metrics: Record<'api' | 'worker', number>, options: Options) {
    this.product = product;
    this.meter = new LoadMeter(metrics);
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
    const scene = new Scene(address, files, setRole);
    const stranger = await scene.premium('stranger');
    await this.meter.begin();
    const held = new HeldRequests(port);
    const last = only === undefined ? requests : only + 1;
    for (let first = only ?? 0; first < last && !signal.aborted; first += REQUESTS_PER_SCENE) {
      await scene.renew(stranger);
      const [free, premium, operator, leaver] = await Promise.all([
        scene.free(),
        scene.premium(),
        scene.operator(),
        scene.leaver(),
      ]);
      const world: World = { document, files, stranger, users: { free, premium, operator, leaver } };
      const made = attacksOf(world);
      let next = first;
      const end = Math.min(first + REQUESTS_PER_SCENE, last);
      const work = async () => {
        while (next < end && this.failures.length < MOST_FAILURES && !signal.aborted) {
          const number = next++;
          await this.attack(number, made, world, port);
          if (number % WORK_EVERY === WORK_EVERY - 1) await this.probe(() => scene.work(stranger));
          if (number % MEASURE_EVERY === MEASURE_EVERY - 1) await this.meter.read();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
    await this.meter.read();
    this.failures.push(...held.end());
    if (!signal.aborted) await this.checkEnd(databaseUrl);
  }

  private async attack(number: number, made: Attacks, world: World, port: number): Promise<void> {
    const seed = createHash('sha256').update(`${this.options.seed}/${number}`).digest().readInt32LE();
    const kind = number % 20;
    if (kind === 7 || kind === 13) return this.tryRaw(number, sample(made.raw, seed), port, 'raw');
    if (kind === 17) return this.tryRaw(number, sample(made.sockets, seed), port, 'sockets');
    const requests =
      kind === 3 || kind === 11 ? made.other : made.operations[number % made.operations.length]!;
    const request = sample(requests, seed);
    const bytes = bytesOf(request);
    const result = await exchange(port, [bytes], [request.method]);
    this.kinds.http += 1;
    const [answer] = result.answers;
    if (answer) this.count(request, answer.status);
    const problems = checkExchange(world, request, result);
    if (problems.length > 0)
      this.fail(
        number,
        `${request.from} as ${request.user?.name ?? 'nobody'}`,
        problems,
        shown(request, bytes),
      );
  }

  private async tryRaw(number: number, attack: Attack, port: number, kind: 'raw' | 'sockets'): Promise<void> {
    this.kinds[kind] += 1;
    const { problems, sent } = await attack.run(port);
    if (problems.length > 0) this.fail(number, attack.name, problems, sent);
  }

  private count(request: FuzzRequest, status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status < 300) this.succeeded.add(request.from);
  }

  /** Somebody else works meanwhile. */
  private async probe(work: () => Promise<number>): Promise<void> {
    try {
      const took = await work();
      this.slowestWork = Math.max(this.slowestWork, took);
      if (took > WORK_WITHIN_MS) this.failures.push(`Another user's title took ${Math.round(took)} ms.`);
    } catch (error) {
      this.failures.push(`Another user could not work: ${(error as Error).message}`);
    }
  }

  /** Every job has ended, and both programs have lived through it. */
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
      const { delayP99, megabytes } = this.meter.worst[name];
      const limit = LIMITS[name];
      print(
        `${name.padEnd(7)} event loop delay at p99 beyond that of an idle thread ${delayP99.toFixed(0)} ms (limit ${limit.delayP99}), memory ${megabytes.toFixed(0)} MB (limit ${limit.megabytes})`,
      );
      if (delayP99 > limit.delayP99) this.failures.push(`The event loop of the ${name} was held up.`);
      if (megabytes > limit.megabytes) this.failures.push(`The ${name} used too much memory.`);
    }
    print(`Another user's slowest title: ${Math.round(this.slowestWork)} ms.`);
    const statuses = [...this.statuses].toSorted(([a], [b]) => a - b);
    print(`Statuses: ${statuses.map(([status, count]) => `${status} × ${count}`).join(', ')}.`);
    const { http, raw, sockets } = this.kinds;
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

/** A request without its token, which is another one in each run. */
const shown = ({ user }: FuzzRequest, bytes: Buffer) =>
  user
    ? printable(bytes)
        .replaceAll(user.token, `<token of ${user.name}>`)
        .replaceAll(user.session, `<session of ${user.name}>`)
    : printable(bytes);
