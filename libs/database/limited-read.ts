import type { DataSource } from 'typeorm';
import { execute, type Transaction } from './sql.js';

/**
 * Runs reads in one transaction. PostgreSQL cancels a statement that takes longer than `milliseconds`. If `signal`
 * aborts, the running statement is cancelled.
 * @throws the driver's error if a statement was cancelled, see `isStatementEnded`
 */
export async function limitedRead<T>(
  dataSource: DataSource,
  { milliseconds, signal }: { milliseconds: number; signal: AbortSignal },
  read: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  let cancelled: Promise<unknown> | undefined;
  try {
    await runner.startTransaction();
    // Behind PgBouncer, the id that the driver has is none of PostgreSQL's processes.
    const [{ pid }] = (await runner.query(
      `SELECT pg_backend_pid() AS pid, set_config('statement_timeout', $1, true)`,
      [String(Math.ceil(milliseconds))],
    )) as [{ pid: number }];
    const cancel = () => {
      cancelled = execute(dataSource, 'SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', cancel);
    try {
      return await read(runner.manager);
    } finally {
      signal.removeEventListener('abort', cancel);
      // Wait until the cancel request has been sent: later it could hit a statement of the connection's next user.
      await cancelled;
    }
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}
