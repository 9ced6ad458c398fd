import {
  Inject,
  Injectable,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { systemClock } from '#libs/config/clock.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { provideClass, value } from '#libs/config/provide-class.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { ObjectStore } from '#libs/storage/object-store.js';
import { DatabaseWrites, WritesRefused, type Program } from './database-writes.js';

/** Milliseconds after which a service counts as unavailable. */
export const ANSWER_WITHIN = 2_000;
/**
 * Milliseconds between two checks by this class itself, so that outages are logged even without probes.
 */
const CHECK_EVERY = 5_000;
/** Milliseconds for which a check answers all probes, so that many of them do not occupy the services. */
export const SHARED_FOR = 1_000;

export type Service = 'database' | 'queue' | 'storage';
export type Checks = Record<Service, boolean>;

/** Checks the services that this process requires. Logs when a service becomes unavailable or available. */
@Injectable()
export class Readiness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Readiness');
  private readonly variables: Record<Service, string>;
  private readonly failures = new Map<Service, Error>();
  private timer: NodeJS.Timeout | undefined;
  private latest: { at: number; checks: Promise<Checks> } | undefined;

  constructor(
    private readonly databaseWrites: DatabaseWrites,
    private readonly queue: JobQueue,
    private readonly storage: ObjectStore,
    @Inject(CONFIG) config: Pick<Config, 'queue' | 'storage'>,
  ) {
    this.variables = {
      database: 'DATABASE_URL',
      queue: { postgres: 'DATABASE_URL', redis: 'REDIS_URL', 'redis-cluster': 'REDIS_CLUSTER_NODES' }[
        config.queue.kind
      ],
      storage: config.storage.kind === 's3' ? 'S3_ENDPOINT' : 'DATA_DIR',
    };
  }

  onApplicationBootstrap(): void {
    void this.check();
    this.timer = setInterval(() => void this.check(), CHECK_EVERY);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Checks all services, at most once in {@link SHARED_FOR}: calls in between get the same answer. */
  check(): Promise<Checks> {
    const now = systemClock.elapsed();
    if (this.latest === undefined || now - this.latest.at >= SHARED_FOR)
      this.latest = { at: now, checks: this.checkNow() };
    return this.latest.checks;
  }

  private async checkNow(): Promise<Checks> {
    const [database, queue, storage] = await Promise.all([
      this.answers('database', () => this.databaseWrites.check()),
      this.answers('queue', () => this.queue.ping()),
      this.answers('storage', () => this.storage.ping()),
    ]);
    return { database, queue, storage };
  }

  /** What the last check found wrong with a service, such as `no answer from queue (REDIS_URL)`. Null if it is available. */
  problemOf(service: Service): string | null {
    const error = this.failures.get(service);
    if (!error) return null;
    const name = this.nameOf(service);
    return error instanceof WritesRefused
      ? `${name} takes no writes: ${error.reason}`
      : `no answer from ${name}`;
  }

  /** The name of a service with its environment variable, such as `queue (REDIS_URL)`. */
  private nameOf(service: Service): string {
    return `${service} (${this.variables[service]})`;
  }

  private async answers(service: Service, call: () => Promise<unknown>): Promise<boolean> {
    try {
      await settleWithin(ANSWER_WITHIN, call);
      if (this.failures.delete(service)) this.logger.log(`${this.nameOf(service)} answers again`);
      return true;
    } catch (error) {
      const isKnown = this.failures.has(service);
      this.failures.set(service, error as Error);
      if (!isKnown) {
        const what = error instanceof WritesRefused ? 'takes no writes' : 'does not answer';
        this.logger.warn(`${this.nameOf(service)} ${what}, waiting for it: ${(error as Error).message}`);
      }
      return false;
    }
  }
}

@Module({})
export class HealthModule {
  static forRoot(program: Program): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      providers: [provideClass(DatabaseWrites, [DataSource, value(() => program)]), Readiness],
      exports: [Readiness],
    };
  }
}
