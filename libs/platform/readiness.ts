import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobQueue } from '#libs/queue/job-queue.js';
import { ObjectStore } from '#libs/storage/object-store.js';

/** Milliseconds that a service has to answer in. */
const ANSWER_WITHIN = 2_000;

export type Checks = Record<'database' | 'queue' | 'storage', boolean>;

/** Asks each service that requests need whether it answers. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger('Readiness');

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly storage: ObjectStore,
  ) {}

  async check(): Promise<Checks> {
    const [database, queue, storage] = await Promise.all([
      this.answers('database', () => this.dataSource.query('SELECT 1')),
      this.answers('queue', () => this.queue.ping()),
      this.answers('storage', () => this.storage.ping()),
    ]);
    return { database, queue, storage };
  }

  private async answers(name: string, ask: () => Promise<unknown>): Promise<boolean> {
    try {
      await Promise.race([ask(), late()]);
      return true;
    } catch (error) {
      this.logger.warn(`${name}: ${(error as Error).message}`);
      return false;
    }
  }
}

function late(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${ANSWER_WITHIN} ms`)), ANSWER_WITHIN).unref();
  });
}
