import type { ItemRow, JobRow } from './evidence.ts';
import type { SeenBatch } from './log.ts';
import { present, rowsById, type Evidence, type Rule } from './rule.ts';

/* Batches: what a client was told, what is stored, and what its ZIP has. */

/** What a client was told of a batch agrees with its rows; each picture that was sent has one job. */
export const batchesAgreeWithRows: Rule = (evidence) => {
  const { rows } = evidence;
  const jobs = rowsById(evidence);
  const itemsOf = Map.groupBy(rows.items, ({ batchId }) => batchId);
  const told = present(evidence).flatMap((person) =>
    person.batches.flatMap((batch) => {
      const items = itemsOf.get(batch.id) ?? [];
      const what = `batch ${batch.id} of ${person.name}`;
      if (items.length !== batch.names.length) return [`${what} has ${items.length} pictures`];
      return [
        ...items.flatMap((item) => brokenItem(batch, item, jobs, what)),
        ...brokenZip(evidence, batch, items),
      ];
    }),
  );
  const keyed = Map.groupBy(
    rows.batches.filter(({ key }) => key),
    ({ userId, key }) => `${key} of ${userId}`,
  );
  const doubled = [...keyed].flatMap(([key, found]) =>
    found.length > 1 ? [`the key ${key} has ${found.length} batches`] : [],
  );
  const current = new Set(rows.items.map(({ jobId }) => jobId));
  const stray = rows.jobs
    .filter(({ id, batchId, status }) => batchId !== null && !current.has(id) && status === 'succeeded')
    .map(({ id, batchId }) => `job ${id} of batch ${batchId} succeeded, and is of none of its pictures`);
  return [...told, ...doubled, ...stray, ...eventsOfBatches(evidence)];
};

function brokenItem(batch: SeenBatch, item: ItemRow, jobs: Map<string, JobRow>, what: string): string[] {
  const { n, sent, leftOut } = item;
  const picture = `picture ${n} of ${what}`;
  const job = jobs.get(item.jobId);
  const broken: string[] = [];
  if (batch.sent.has(n) && !sent && !leftOut) broken.push(`${picture} was received, and is missing`);
  if (sent && !job) broken.push(`${picture} was sent, and has no job`);
  if (!sent && job) broken.push(`${picture} was not sent, and has a job`);
  if (job && job.batchId !== batch.id) broken.push(`${picture} has a job of batch ${job.batchId}`);
  if (batch.leftOut.has(n) && !leftOut) broken.push(`${picture} was left out, and is not`);
  const mayBeLeftOut = batch.leftOut.has(n) || batch.maybeLeftOut.has(n) || batch.cancelled !== 'no';
  if (leftOut && !mayBeLeftOut) broken.push(`${picture} is left out, and nobody did it`);
  if (leftOut && job?.status === 'succeeded') broken.push(`${picture} is left out, and its job succeeded`);
  if (batch.cancelled === 'yes' && !sent && !leftOut)
    broken.push(`${picture} is missing, which was cancelled`);
  return broken;
}

function brokenZip({ rows }: Evidence, { id, zip }: SeenBatch, items: ItemRow[]): string[] {
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

/** Nobody is told of another's batch, and of one revision in two ways. */
function eventsOfBatches({ people, rows }: Evidence): string[] {
  const owners = new Map(rows.batches.map(({ id, userId }) => [id, userId]));
  return people.flatMap((person) => {
    const events = person.tabs.flatMap(({ batches }) => batches);
    const foreign = events.filter(({ id }) => owners.has(id) && owners.get(id) !== person.id);
    const byRevision = Map.groupBy(events, ({ id, revision }) => `batch ${id}, revision ${revision},`);
    const contradicted = [...byRevision].filter(
      ([, told]) => new Set(told.map(({ counts }) => JSON.stringify(counts))).size > 1,
    );
    return [
      ...foreign.map(({ id }) => `${person.name} received batch ${id}, which is another's`),
      ...contradicted.map(
        ([what, told]) => `${what} was told as ${JSON.stringify(told.map(({ counts }) => counts))}`,
      ),
    ];
  });
}
