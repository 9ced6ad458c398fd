import { Logger } from '@nestjs/common';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Config } from '#libs/config/environment.js';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { DatabaseWrites } from '#libs/health/database-writes.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { GIVE_UP_AFTER_MS } from './alert-state.js';
import { DatabaseOutage } from './database-outage.js';
import { createReceivers } from './receivers.js';

const REPORT_EVERY_MS = 15_000;
const CHECK_WITHIN_MS = 5_000;

/**
 * Sends the alert about the database while an api waits for it at its start.
 * @returns a function that ends this. It does not wait for the last message, since the api can start. Where it was not taken,
 * it is sent again for a day while the database takes writes
 */
export async function alertWhileWaiting(
  { alerts, mail, publicUrl, databaseUrl }: Pick<Config, 'alerts' | 'mail' | 'publicUrl' | 'databaseUrl'>,
  clock: Clock = systemClock,
): Promise<() => Promise<void>> {
  if (alerts === null) return () => Promise.resolve();
  const logger = new Logger('Alerts');
  const mailer =
    mail &&
    new (await import('#libs/mail/mailer.js')).Mailer(mail, {
      info: (_, message) => logger.log(message),
      warn: (_, message) => logger.warn(message),
    });
  const outage = new DatabaseOutage({
    receivers: createReceivers(alerts, mailer, publicUrl),
    alertmanagerUrl: alerts.alertmanagerUrl,
    onError: logErrors('Alerts'),
    clock,
  });
  const report = () => void outage.report('no answer from database (DATABASE_URL)');
  report();
  const stop = clock.every(REPORT_EVERY_MS, report);
  return () => {
    stop();
    const endedAt = clock.elapsed();
    const end = async (isFirst: boolean) => {
      const isLate = clock.elapsed() - endedAt >= GIVE_UP_AFTER_MS;
      // The database may be down again.
      const maySend = !isLate && (isFirst || (await takesWrites(databaseUrl)));
      if (!isLate && !(maySend && (await outage.end()))) return;
      stopEnding();
      await mailer?.close();
    };
    const stopEnding = clock.every(REPORT_EVERY_MS, () => void end(false));
    void end(true);
    return Promise.resolve();
  };
}

async function takesWrites(url: string): Promise<boolean> {
  const client = new ClientWithErrorListener({
    connectionString: url,
    connectionTimeoutMillis: CHECK_WITHIN_MS,
    query_timeout: CHECK_WITHIN_MS,
  });
  try {
    await client.connect();
    const query = async <Row>(text: string, parameters?: unknown[]) =>
      (await client.query(text, parameters)).rows as Row[];
    await new DatabaseWrites({ query }, 'api').check();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
