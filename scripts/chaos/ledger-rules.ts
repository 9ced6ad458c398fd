import type { Rows } from './evidence.ts';
import type { Rule } from './rule.ts';

/* Credits: what was granted, charged and refunded. */

export const ledgersAddUp: Rule = ({ people, rows }) => {
  const broken: string[] = [];
  for (const { userId, month, granted, balance } of rows.balances) {
    const entries = rows.entries.filter((entry) => entry.userId === userId && entry.month === month);
    const sum = entries.reduce((total, { amount }) => total + amount, 0);
    const grants = entries.filter(({ kind }) => kind === 'grant');
    if (sum !== balance) broken.push(`the entries of ${userId} add up to ${sum}, the balance is ${balance}`);
    if (balance < 0) broken.push(`the balance of ${userId} is ${balance}`);
    if (grants.length !== 1 || grants[0]!.amount !== granted)
      broken.push(`${userId} has ${grants.length} grants of a month, and ${granted} as granted`);
  }
  for (const { id, userId, status, credits, tool } of rows.jobs) {
    const what = `${status} ${tool} job ${id}`;
    const entries = rows.entries.filter(({ jobId }) => jobId === id);
    const charges = entries.filter(({ kind }) => kind === 'charge');
    const refunds = entries.filter(({ kind }) => kind === 'refund');
    const person = people.find((one) => one.id === userId);
    if (charges.length > 1) broken.push(`${what} was charged ${charges.length} times`);
    if (refunds.length > 1) broken.push(`${what} was refunded ${refunds.length} times`);
    if (person && !person.switchedPlan && charges.length !== (person.plan === 'free' ? 1 : 0))
      broken.push(`${what} of the ${person.plan} plan has ${charges.length} charges`);
    const isFree = status === 'failed' || status === 'cancelled';
    if (charges.length > 0 && isFree && refunds.length === 0) broken.push(`${what} was not refunded`);
    if (status === 'succeeded' && refunds.length > 0) broken.push(`${what} was refunded`);
    const paid = -entries.reduce((total, { amount }) => total + amount, 0);
    if (paid !== credits) broken.push(`${what} says ${credits} credits, its entries ${paid}`);
  }
  broken.push(...batchLedgers(rows), ...flowLedgers(rows));
  const held = [...rows.items, ...rows.steps];
  const ids = new Set([...rows.jobs.map(({ id }) => id), ...held.map(({ jobId }) => jobId)]);
  for (const { userId, kind, jobId } of rows.entries)
    if (jobId && !ids.has(jobId)) broken.push(`a ${kind} of ${userId} names job ${jobId}, which has no row`);
  for (const { name, tabs } of people)
    for (const { remaining } of tabs.flatMap(({ accounts }) => accounts))
      if (remaining !== null && remaining < 0) broken.push(`${name} was told of ${remaining} credits`);
  return broken;
};

/** Of pictures that were never sent: charged with their batch, and refunded once they are left out. */
function batchLedgers({ batches, items, entries, jobs }: Rows): string[] {
  const ids = new Set(jobs.map(({ id }) => id));
  return items
    .filter(({ jobId }) => !ids.has(jobId))
    .flatMap(({ batchId, n, jobId, leftOut }) => {
      const price = batches.find(({ id }) => id === batchId)?.credits ?? 0;
      const paid = -entries
        .filter((entry) => entry.jobId === jobId)
        .reduce((total, { amount }) => total + amount, 0);
      const due = leftOut ? 0 : price;
      return paid === due ? [] : [`picture ${n} of batch ${batchId} costs ${due}, its entries ${paid}`];
    });
}

/** Of steps that never started: charged with their flow, and refunded once they are left out. */
function flowLedgers({ steps, entries, jobs }: Rows): string[] {
  const ids = new Set(jobs.map(({ id }) => id));
  return steps
    .filter(({ jobId }) => !ids.has(jobId))
    .flatMap(({ flowId, n, jobId, credits, leftOut }) => {
      const paid = -entries
        .filter((entry) => entry.jobId === jobId)
        .reduce((total, { amount }) => total + amount, 0);
      const due = leftOut ? 0 : credits;
      return paid === due ? [] : [`step ${n} of flow ${flowId} costs ${due}, its entries ${paid}`];
    });
}
