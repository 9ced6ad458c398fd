import { z } from 'zod';
import type { Clock } from '#libs/config/clock.js';

const TIMEOUT_MS = 2_000;
/** Milliseconds for which the programs send after Alertmanager could not. It tries again every five minutes. */
const FAILED_FOR_MS = 600_000;
const WATCHDOG = '/api/v2/alerts?filter=alertname%3D%22Watchdog%22';

const alertsSchema = z.array(z.object({ endsAt: z.iso.datetime({ offset: true }) }));
const statusSchema = z.object({ config: z.object({ original: z.string() }) });

/** The Alertmanager that sends the alerts in place of the programs, as long as it can. */
export class Alertmanager {
  private failures: { total: number; readAt: number } | null = null;
  private failedAt = -Infinity;

  constructor(
    private readonly url: string | null,
    private readonly clock: Clock,
  ) {}

  /**
   * Never rejects.
   * @returns true if Prometheus sends it alerts, it has a receiver, and none of its messages has failed lately
   */
  async delivers(): Promise<boolean> {
    if (this.url === null) return false;
    try {
      const [alerts, status, metrics] = await Promise.all([
        this.get(WATCHDOG).then((text) => alertsSchema.parse(JSON.parse(text))),
        this.get('/api/v2/status').then((text) => statusSchema.parse(JSON.parse(text))),
        this.get('/metrics').catch(() => ''),
      ]);
      this.noteFailures(metrics);
      const isFed = alerts.some(({ endsAt }) => Date.parse(endsAt) > this.clock.now());
      return isFed && hasReceiver(status.config.original) && !this.hasFailed;
    } catch {
      return false;
    }
  }

  private get hasFailed(): boolean {
    return this.clock.elapsed() - this.failedAt < FAILED_FOR_MS;
  }

  /** A number that was read long ago says nothing about the messages of now. */
  private noteFailures(metrics: string): void {
    const readAt = this.clock.elapsed();
    const total = countFailures(metrics);
    const last = this.failures;
    if (last !== null && readAt - last.readAt < FAILED_FOR_MS && total > last.total) this.failedAt = readAt;
    this.failures = { total, readAt };
  }

  private async get(path: string): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(new URL(path, this.url!), { signal, redirect: 'error' });
    if (!answer.ok) throw new Error(`Alertmanager answered ${answer.status}.`);
    return answer.text();
  }
}

/** True if a receiver sends by any way, such as `email_configs`. */
const hasReceiver = (configuration: string) => /^\s*(?:- )?\w+_configs:/m.test(configuration);

/** Messages that Alertmanager has given up since its start. */
const countFailures = (metrics: string): number =>
  [...metrics.matchAll(/^alertmanager_notifications_failed_total(?:\{.*\})? (\S+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
