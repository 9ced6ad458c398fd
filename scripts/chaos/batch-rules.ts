import type { ItemRow, JobRow } from './evidence.ts';
import type { SentBatch } from './log.ts';
import { present, repeatedKeys, rowsById, type Evidence, type Rule } from './rule.ts';

/* Rules for batches: answers and events, rows, and ZIPs. */

/** Answers about a batch agree with its rows, and each sent picture has one job. */
export const batchesAgreeWithRows: Rule = (evidence) => {
  const { rows } = evidence;
  const jobs = rowsById(evidence);
  const itemsOf = Map.groupBy(rows.items, ({ batchId }) => batchId);
  const broken = present(evidence).flatMap((user) =>
    user.batches.flatMap((batch) => {
      const items = itemsOf.get(batch.id) ?? [];
      const what = `batch ${batch.id} of ${user.name}`;
      if (items.length !== batch.names.length) return [`${what} has ${items.length} pictures`];
      return [
        ...items.flatMap((item) => brokenItem(batch, item, jobs, what)),
        ...brokenZip(evidence, batch, items),
      ];
    }),
  );
  const current = new Set(rows.items.map(({ jobId }) => jobId));
  const stray = rows.jobs
    .filter(({ id, batchId, status }) => batchId !== null && !current.has(id) && status === 'succeeded')
    .map(({ id, batchId }) => `job ${id} of batch ${batchId} succeeded, but belongs to none of its pictures`);
  return [...broken, ...repeatedKeys(rows.batches, 'batches'), ...stray, ...eventsOfBatches(evidence)];
};

function brokenItem(batch: SentBatch, item: ItemRow, jobs: Map<string, JobRow>, what: string): string[] {
  const { n, sent, leftOut } = item;
  const picture = `picture ${n} of ${what}`;
  const job = jobs.get(item.jobId);
  const broken: string[] = [];
  if (batch.sent.has(n) && !sent && !leftOut) broken.push(`${picture} was received, but is missing`);
  if (sent && !job) broken.push(`${picture} was sent, but has no job`);
  if (!sent && job) broken.push(`${picture} was not sent, but has a job`);
  if (job && job.batchId !== batch.id) broken.push(`${picture} has a job of batch ${job.batchId}`);
  if (batch.leftOut.has(n) && !leftOut) broken.push(`${picture} was skipped, but its row says no`);
  const mayBeLeftOut = batch.leftOut.has(n) || batch.maybeLeftOut.has(n) || batch.cancelled !== 'no';
  if (leftOut && !mayBeLeftOut) broken.push(`${picture} is skipped without a request`);
  if (leftOut && job?.status === 'succeeded') broken.push(`${picture} is skipped, but its job succeeded`);
  if (batch.cancelled === 'yes' && !sent && !leftOut)
    broken.push(`${picture} is missing after the batch was cancelled`);
  return broken;
}

function brokenZip({ rows }: Evidence, { id, zip }: SentBatch, items: ItemRow[]): string[] {
  if (zip === null) return [];
  const done = items.filter(({ jobId }) =>
    rows.creations.some((creation) => creation.jobId === jobId && !creation.isDeleted),
  );
  const stem = (name: string) => name.replace(/\.[^.]*$/, '');
  const [has, due] = [
    zip.map(stem).sort().join(),
    done
      .map(({ name }) => stem(name))
      .sort()
      .join(),
  ];
  return has === due ? [] : [`the ZIP of batch ${id} has [${has}], its rows [${due}]`];
}

/** Users receive no events of others' batches, and no two states of one revision. */
function eventsOfBatches({ users, rows }: Evidence): string[] {
  const owners = new Map(rows.batches.map(({ id, userId }) => [id, userId]));
  return users.flatMap((user) => {
    const events = user.tabs.flatMap(({ batches }) => batches);
    const foreign = events.filter(({ id }) => owners.has(id) && owners.get(id) !== user.id);
    const byRevision = Map.groupBy(events, ({ id, revision }) => `batch ${id}, revision ${revision},`);
    const contradicted = [...byRevision].filter(
      ([, states]) => new Set(states.map(({ counts }) => JSON.stringify(counts))).size > 1,
    );
    return [
      ...foreign.map(({ id }) => `${user.name} received batch ${id} of another user`),
      ...contradicted.map(
        ([what, states]) => `${what} was sent as ${JSON.stringify(states.map(({ counts }) => counts))}`,
      ),
    ];
  });
}
