import { isEnded } from './log.ts';
import { repeatedKeys, type Evidence } from './rule.ts';

export interface Losses {
  lost: string[];
  doubled: string[];
}

/**
 * Compares accepted jobs with the tables. A failed job counts as lost too: the provider answers every call.
 * @param readable ids of the jobs whose result the user could read, with its file
 */
export function findLosses({ users, rows }: Evidence, readable: Set<string>): Losses {
  const jobs = new Map(rows.jobs.map((job) => [job.id, job]));
  const charges = rows.entries.filter(({ kind }) => kind === 'charge');
  const accepted = users.flatMap((user) => user.accepted);
  const lost = [...new Set(accepted.map(({ jobId }) => jobId))].flatMap((id) => {
    const job = jobs.get(id);
    if (!job) return [`job ${id} has no row`];
    if (!isEnded(job))
      return [`job ${id} has not ended: ${job.status}, ${job.stage}, attempt ${job.attempts}`];
    if (job.status !== 'succeeded') return [`job ${id} is ${job.status}`];
    return readable.has(id) ? [] : [`the result of job ${id} cannot be read`];
  });
  return {
    lost,
    doubled: [
      ...repeatedKeys(rows.jobs, 'jobs'),
      ...repeated(
        charges.map(({ jobId }) => jobId),
        'charges',
      ),
      ...repeated(
        rows.creations.map(({ jobId }) => jobId),
        'creations',
      ),
      ...[...Map.groupBy(accepted, ({ key }) => key)].flatMap(([key, answers]) => {
        const ids = new Set(answers.map(({ jobId }) => jobId));
        return ids.size > 1 ? [`the key ${key} was answered with ${ids.size} jobs`] : [];
      }),
    ],
  };
}

const repeated = (jobIds: (string | null)[], what: string) =>
  [...Map.groupBy(jobIds, (id) => id)].flatMap(([id, all]) =>
    id !== null && all.length > 1 ? [`job ${id} has ${all.length} ${what}`] : [],
  );
