import { systemClock, type Clock } from '#libs/config/clock.js';
import { Alertmanager } from './alertmanager.js';
import { alertKey, alertRules } from './alert-rules.js';
import { REPEAT_AFTER_MS } from './alert-state.js';
import { serviceNotReady } from './conditions.js';
import type { AlertReceiver, Notification, ReceiverName } from './receivers.js';

const FIRES_AFTER_MS = alertRules.ServiceNotReady.forSeconds * 1_000;
const RETRY_AFTER_MS = 60_000;

export interface DatabaseOutageDeps {
  receivers: AlertReceiver[];
  alertmanagerUrl: string | null;
  onError: (error: Error) => void;
  clock?: Clock;
}

/** The alert about the database, whose state can only be in memory. Each api sends it. */
export class DatabaseOutage {
  private begin: { elapsed: number; at: Date } | null = null;
  private readonly notifiedAt = new Map<ReceiverName, number>();
  private readonly failed = new Map<ReceiverName, number>();
  private readonly clock: Clock;
  private readonly alertmanager: Alertmanager;
  private reporting: Promise<void> | null = null;
  private ending: Promise<boolean> | null = null;
  /** The message that the outage is over, until all receivers of the alert have it. */
  private over: Notification | null = null;

  constructor(private readonly deps: DatabaseOutageDeps) {
    this.clock = deps.clock ?? systemClock;
    this.alertmanager = new Alertmanager(deps.alertmanagerUrl, this.clock);
  }

  /**
   * Call this regularly while the database is unavailable. Calls while one is running do nothing.
   * @param problem as `Readiness.problemOf` returns it
   */
  report(problem: string | null): Promise<void> {
    return (this.reporting ??= this.reportOnce(problem).finally(() => (this.reporting = null)));
  }

  private async reportOnce(problem: string | null): Promise<void> {
    const now = this.clock.elapsed();
    this.over = null;
    this.begin ??= { elapsed: now, at: new Date(this.clock.now()) };
    if (now - this.begin.elapsed < FIRES_AFTER_MS) return;
    const due = this.deps.receivers.filter(
      ({ name }) =>
        now - (this.notifiedAt.get(name) ?? -Infinity) >= REPEAT_AFTER_MS && this.mayTry(name, now),
    );
    if (due.length === 0 || (await this.alertmanager.delivers())) return;
    await this.send(due, this.notification('firing', problem), (name) => this.notifiedAt.set(name, now));
  }

  /**
   * Call this regularly while the database is available. Calls while one is running do nothing.
   * @returns true if no receiver waits for the message that the outage is over
   */
  end(): Promise<boolean> {
    return (this.ending ??= this.endOnce().finally(() => (this.ending = null)));
  }

  private async endOnce(): Promise<boolean> {
    await this.reporting;
    if (this.begin !== null) {
      this.over = this.notification('resolved', null);
      this.begin = null;
      this.failed.clear();
    }
    if (this.over === null) return true;
    const now = this.clock.elapsed();
    const due = this.deps.receivers.filter(({ name }) => this.notifiedAt.has(name) && this.mayTry(name, now));
    await this.send(due, this.over, (name) => this.notifiedAt.delete(name));
    if (this.notifiedAt.size > 0) return false;
    this.over = null;
    return true;
  }

  private mayTry(name: ReceiverName, now: number): boolean {
    return now - (this.failed.get(name) ?? -Infinity) >= RETRY_AFTER_MS;
  }

  private notification(status: Notification['status'], problem: string | null): Notification {
    const condition = serviceNotReady('database', problem);
    const isOver = status === 'resolved';
    return {
      ...condition,
      ...(isOver && { summary: 'The database takes writes again.' }),
      key: alertKey(condition),
      status,
      startsAt: this.begin!.at,
      endsAt: isOver ? new Date(this.clock.now()) : null,
    };
  }

  private async send(
    receivers: AlertReceiver[],
    notification: Notification,
    onSent: (name: ReceiverName) => void,
  ): Promise<void> {
    await Promise.all(
      receivers.map(async (receiver) => {
        try {
          await receiver.send([notification]);
          onSent(receiver.name);
        } catch (error) {
          this.failed.set(receiver.name, this.clock.elapsed());
          this.deps.onError(error as Error);
        }
      }),
    );
  }
}
