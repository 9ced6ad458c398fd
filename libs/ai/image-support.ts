import { createHash } from 'node:crypto';
import { LessThan, MoreThan, type DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { AiConfig, OpenAiConfig } from '#libs/config/environment.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { LackingImageOperationEntity } from '#libs/database/entities/image-support.js';

/** A refused operation is tried again after an hour. */
const REMEMBER_MS = 60 * 60_000;
/** Jobs use operations that another process found after this time at the latest. */
const READ_EVERY_MS = 5_000;
const MAX_WAIT_MS = 1_000;

interface ImageSupportLog {
  /** The service turned out to lack these operations. */
  lacking: (operations: readonly ImageOperation[]) => void;
  /** An error of the database. The operations read before are used then. */
  error: (error: unknown) => void;
}

interface ImageSupportOptions {
  database: DataSource;
  ai: AiConfig | null;
  log: ImageSupportLog;
  clock?: Clock;
}

/**
 * Remembers the image operations that the connected AI service lacks, for all processes with the same configuration. Jobs
 * that need them run on this server.
 */
export class ImageSupport {
  private readonly service: string;
  private readonly clock: Clock;
  private lacking: ReadonlySet<ImageOperation> = new Set();
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;

  constructor(private readonly options: ImageSupportOptions) {
    this.service = hashOf(options.ai);
    this.clock = options.clock ?? systemClock;
  }

  /** The operations as last read. Starts to read them again if they are older than a few seconds. */
  get known(): ReadonlySet<ImageOperation> {
    if (this.clock.elapsed() - this.readAt > READ_EVERY_MS) void this.read();
    return this.lacking;
  }

  /** Reads the operations. Returns those read before if the database takes longer than a second. */
  async read(): Promise<ReadonlySet<ImageOperation>> {
    if (!this.options.ai) return this.lacking;
    this.reading ??= this.load().finally(() => (this.reading = null));
    const late = Promise.withResolvers<void>();
    const cancel = this.clock.after(MAX_WAIT_MS, late.resolve);
    await Promise.race([this.reading, late.promise]);
    cancel();
    return this.lacking;
  }

  private async load(): Promise<void> {
    const { database, log } = this.options;
    this.readAt = this.clock.elapsed();
    try {
      const found = await database
        .getRepository(LackingImageOperationEntity)
        .findBy({ service: this.service, until: MoreThan(new Date(this.clock.now())) });
      this.lacking = new Set(found.map(({ operation }) => operation));
    } catch (error) {
      log.error(error);
    }
  }

  /** Remembers a refused operation. */
  async add(operation: ImageOperation): Promise<void> {
    this.lacking = new Set([...this.lacking, operation]);
    await this.store([operation]);
  }

  /** Forgets what was refused before, because server or configuration may have changed, and stores what is lacking now. */
  async replace(operations: readonly ImageOperation[]): Promise<void> {
    this.lacking = new Set(operations);
    const repository = this.options.database.getRepository(LackingImageOperationEntity);
    try {
      await repository.delete([{ service: this.service }, { until: LessThan(new Date(this.clock.now())) }]);
    } catch (error) {
      this.options.log.error(error);
    }
    await this.store(operations);
  }

  private async store(operations: readonly ImageOperation[]): Promise<void> {
    if (operations.length === 0) return;
    this.options.log.lacking(operations);
    const until = new Date(this.clock.now() + REMEMBER_MS);
    const rows = operations.map((operation) => ({ service: this.service, operation, until }));
    try {
      await this.options.database
        .getRepository(LackingImageOperationEntity)
        .upsert(rows, ['service', 'operation']);
    } catch (error) {
      this.options.log.error(error);
    }
  }
}

function hashOf(ai: AiConfig | null): string {
  const parts = (config: OpenAiConfig | null | undefined) => [config?.baseUrl, config?.imageModel];
  return createHash('sha256')
    .update(JSON.stringify([parts(ai?.main), parts(ai?.fallback)]))
    .digest('hex');
}
