import { systemClock, type Clock } from '#libs/config/clock.js';
import { isEnded } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { queryEntities, type Database } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import type { JobEvents } from './job-events.js';

/** Seconds after a commit within which a process should have published the job's end. Newer ends are not republished. */
const PUBLISHED_WITHIN = 5;
/** Seconds into the past that each pass searches. Longer than a typical database outage, so that no end is skipped. */
const SEARCH_SECONDS = 60;
/** Milliseconds after which a published end is forgotten. Longer than the search, so no end is published twice. */
const PUBLISHED_TTL_MS = 2 * SEARCH_SECONDS * 1_000;

/**
 * Publishes job ends whose event did not reach this process. A process may be killed between commit and event, or the
 * event may be lost; open pages would then show the job as running for ever. Ends from before the user connected to this
 * process are ignored, since every client reads its jobs when it connects.
 */
export class JobEndRecovery {
  /** Time at which the event of each job's end reached this process, by job id. */
  private readonly published = new Map<string, number>();
  /** Time since which this process gets each user's events. */
  private since = new Map<string, number>();
  private lastPassAt: number;

  constructor(
    private readonly database: Database,
    live: Pick<LiveEvents, 'onPublishedToUser'>,
    private readonly jobEvents: Pick<JobEvents, 'jobChanged'>,
    private readonly accountEvents: Pick<AccountEvents, 'accountChanged'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.lastPassAt = clock.elapsed();
    live.onPublishedToUser('job', ({ id, status }) => {
      if (isEnded(status)) this.published.set(id, this.clock.elapsed());
    });
  }

  /** @param userIds users with open sockets @returns the number of published ends */
  async pass(userIds: string[]): Promise<number> {
    const now = this.clock.elapsed();
    for (const [jobId, reachedAt] of this.published)
      if (now - reachedAt > PUBLISHED_TTL_MS) this.published.delete(jobId);
    this.since = new Map(userIds.map((userId) => [userId, this.since.get(userId) ?? this.lastPassAt]));
    this.lastPassAt = now;
    if (userIds.length === 0) return 0;
    const ages = userIds.map((userId) => Math.min((now - this.since.get(userId)!) / 1_000, SEARCH_SECONDS));
    const missed = (await readEnded(this.database, userIds, ages)).filter(
      ({ id }) => !this.published.has(id),
    );
    for (const job of missed) {
      this.published.set(job.id, now);
      void this.jobEvents.jobChanged(job);
      void this.accountEvents.accountChanged(job.userId);
    }
    return missed.length;
  }
}

/** @param seconds into the past for each user */
const readEnded = (database: Database, userIds: string[], seconds: number[]) =>
  queryEntities(
    database,
    JobEntity,
    `SELECT jobs.* FROM unnest($1::text[], $2::float[]) AS reader (user_id, seconds)
       JOIN jobs ON jobs.user_id = reader.user_id AND created_at > now() - interval '1 day'
         AND finished_at BETWEEN now() - make_interval(secs => reader.seconds) AND now() - interval '${PUBLISHED_WITHIN} seconds'`,
    [userIds, seconds],
  );
