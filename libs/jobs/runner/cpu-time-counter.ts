import type { JobWork } from '#libs/resilience/job-work.js';
import type { JobLifecycle } from '../lifecycle.js';

/** CPU time of a user's jobs that is stored at once; less is added to that of the next job. */
const MIN_COUNTED_MS = 1_000;
/** Users whose uncounted CPU time a worker remembers, those of the latest jobs. */
const UNCOUNTED_USERS_MAX = 10_000;

/** Stores the CPU time that a worker spends on each user's jobs. */
export class CpuTimeCounter {
  /** CPU time of each user's jobs that is not stored yet. */
  private readonly uncountedMs = new Map<string, number>();

  constructor(private readonly lifecycle: Pick<JobLifecycle, 'recordCpuTime'>) {}

  async count({ userId, cpuMs }: JobWork): Promise<void> {
    const sum = (this.uncountedMs.get(userId) ?? 0) + cpuMs;
    this.uncountedMs.delete(userId);
    if (sum >= MIN_COUNTED_MS) return this.lifecycle.recordCpuTime(userId, sum / 1_000);
    if (sum === 0) return;
    this.uncountedMs.set(userId, sum);
    if (this.uncountedMs.size > UNCOUNTED_USERS_MAX)
      this.uncountedMs.delete(this.uncountedMs.keys().next().value!);
  }
}
