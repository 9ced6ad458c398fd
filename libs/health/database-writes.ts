import { systemClock, type Clock } from '#libs/config/clock.js';
import { isDatabaseUnavailable } from '#libs/database/sql.js';

/** Milliseconds between two writes: less than between two checks of `Readiness` without probes. */
const WRITE_EVERY_MS = 4_000;

export type Program = 'api' | 'worker';

/** The database answers, and takes no writes. */
export class WritesRefused extends Error {
  /** @param reason for everybody: it contains no address and no name of the database */
  constructor(
    readonly reason: string,
    cause?: Error,
  ) {
    super(cause?.message ?? reason, { cause });
    this.name = 'WritesRefused';
  }
}

/** A `DataSource`, or one connection. @returns rows */
interface Queries {
  query<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
}

/** Checks that the database takes writes. The check is a write itself, at most once in {@link WRITE_EVERY_MS}. */
export class DatabaseWrites {
  private latest: { at: number; error: Error | null } | null = null;

  constructor(
    private readonly database: Queries,
    private readonly program: Program,
    private readonly clock: Clock = systemClock,
  ) {}

  /** @throws WritesRefused; another error if the database does not answer */
  async check(): Promise<void> {
    await this.requireWritable();
    const now = this.clock.elapsed();
    if (this.latest === null || now - this.latest.at >= WRITE_EVERY_MS)
      this.latest = { at: now, error: await this.write() };
    if (this.latest.error) throw this.latest.error;
  }

  private async requireWritable(): Promise<void> {
    const [row] = await this.database.query<{ isStandby: boolean; isReadOnly: boolean }>(
      `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
    );
    if (row!.isStandby) throw new WritesRefused('it is a standby');
    if (row!.isReadOnly) throw new WritesRefused('its transactions are read-only');
  }

  private async write(): Promise<Error | null> {
    try {
      await this.database.query('SELECT check_writes($1)', [this.program]);
      return null;
    } catch (error) {
      return refusalOf(error as Error & { code?: string });
    }
  }
}

function refusalOf(error: Error & { code?: string }): Error {
  // SQLSTATEs: disk_full; read_only_sql_transaction.
  if (error.code === '53100') return new WritesRefused('its disk is full', error);
  if (error.code === '25006') return new WritesRefused('its transactions are read-only', error);
  if (isDatabaseUnavailable(error) || error.code === undefined) return error;
  return new WritesRefused(`a write failed with the code ${error.code}`, error);
}
