import { Logger } from '@nestjs/common';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Config } from '#libs/config/environment.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { DatabaseOutage } from './database-outage.js';
import { createReceivers } from './receivers.js';

const REPORT_EVERY_MS = 15_000;

/**
 * Sends the alert about the database while an api waits for it at its start.
 * @returns a function that ends this. It does not wait for the last message, which is repeated until it is sent, since the api
 * can start
 */
export async function alertWhileWaiting(
  { alerts, mail, publicUrl }: Pick<Config, 'alerts' | 'mail' | 'publicUrl'>,
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
    const end = async () => {
      if (!(await outage.end())) return;
      stopEnding();
      await mailer?.close();
    };
    const stopEnding = clock.every(REPORT_EVERY_MS, () => void end());
    void end();
    return Promise.resolve();
  };
}
