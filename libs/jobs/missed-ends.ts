import { systemClock, type Clock } from '#libs/config/clock.js';
import { isEnded } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryEntities, type Database } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import type { JobEvents } from './job-events.js';

/** Seconds that a process has to publish the end of a job after its commit. */
const PUBLISHED_WITHIN = 5;
/** Seconds after an end in which it is looked for: longer than an outage of the database between two passes. */
const LOOKED_FOR = 60;
/** Milliseconds for which the id of a job is known whose end was published. */
const KNOWN_FOR_MS = 2 * LOOKED_FOR * 1_000;

/**
 * Publishes the ends of jobs that did not reach this process's sockets: the process that ended one was killed between its
 * commit and the event, or the event was lost on its way, and open pages would show a running job for ever. Only ends
 * after its own start count, as every client reads its jobs when it connects.
 */
export class MissedEnds {
  /** The jobs whose ends were published to their users, by the time at which that reached this process. */
  private readonly known = new Map<string, number>();
  private readonly startedAt: number;

  constructor(
    private readonly database: Database,
    live: Pick<LiveEvents, 'onPublishedToUser'>,
    private readonly jobEvents: Pick<JobEvents, 'jobChanged'>,
    private readonly accountEvents: Pick<AccountEvents, 'accountChanged'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.startedAt = clock.elapsed();
    live.onPublishedToUser('job', ({ id, status }) => {
      if (isEnded(status)) this.known.set(id, this.clock.elapsed());
    });
  }

  /** Looks through the jobs of these users, those with open sockets. @returns how many ends were published */
  async pass(userIds: string[]): Promise<number> {
    const now = this.clock.elapsed();
    for (const [jobId, reachedAt] of this.known) if (now - reachedAt > KNOWN_FOR_MS) this.known.delete(jobId);
    if (userIds.length === 0) return 0;
    const age = Math.min((now - this.startedAt) / 1_000, LOOKED_FOR);
    const missed = (await readEnded(this.database, userIds, age)).filter(({ id }) => !this.known.has(id));
    for (const job of missed) {
      this.known.set(job.id, now);
      void this.jobEvents.jobChanged(job);
      void this.accountEvents.accountChanged(job.userId);
    }
    return missed.length;
  }
}

const readEnded = (database: Database, userIds: string[], seconds: number) =>
  queryEntities(
    database,
    JobEntity,
    `SELECT * FROM jobs WHERE user_id = ANY ($1) AND created_at > now() - interval '1 day'
       AND finished_at BETWEEN now() - make_interval(secs => $2) AND now() - interval '${PUBLISHED_WITHIN} seconds'`,
    [userIds, seconds],
  );
