import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '#libs/config/environment.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { ObjectStore } from '#libs/storage/object-store.js';
import { CONFIG } from './platform.module.js';

/** Milliseconds that a service has to answer in. */
const ANSWER_WITHIN = 2_000;
/** Milliseconds between two looks of our own, so that an outage is told though nobody asks. */
const LOOK_EVERY = 5_000;

export type Service = 'database' | 'queue' | 'storage';
export type Checks = Record<Service, boolean>;

/** Asks each service that we need whether it answers. Each change is one line of the log. */
@Injectable()
export class Readiness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Readiness');
  private readonly variables: Record<Service, string>;
  private readonly away = new Set<Service>();
  private looks: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
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
    const look = () => void this.check();
    look();
    this.looks = setInterval(look, LOOK_EVERY);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.looks);
  }

  async check(): Promise<Checks> {
    const [database, queue, storage] = await Promise.all([
      this.answers('database', () => this.dataSource.query('SELECT 1')),
      this.answers('queue', () => this.queue.ping()),
      this.answers('storage', () => this.storage.ping()),
    ]);
    return { database, queue, storage };
  }

  /** A service with the variable that says where it is, in words for an operator. */
  nameOf(service: Service): string {
    return `${service} (${this.variables[service]})`;
  }

  private async answers(service: Service, ask: () => Promise<unknown>): Promise<boolean> {
    try {
      await inTime(ask());
      if (this.away.delete(service)) this.logger.log(`${this.nameOf(service)} answers again`);
      return true;
    } catch (error) {
      if (!this.away.has(service)) {
        this.away.add(service);
        this.logger.warn(
          `${this.nameOf(service)} does not answer, waiting for it: ${(error as Error).message}`,
        );
      }
      return false;
    }
  }
}

async function inTime(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_WITHIN} ms`)), ANSWER_WITHIN);
  });
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
