import type { Rows } from './evidence.ts';
import type { Rule } from './rule.ts';

/* Rules for credits: grants, charges and refunds. */

export const ledgersAddUp: Rule = ({ users, rows }) => {
  const broken: string[] = [];
  for (const { userId, month, granted, balance } of rows.balances) {
    const entries = rows.entries.filter((entry) => entry.userId === userId && entry.month === month);
    const sum = entries.reduce((total, { amount }) => total + amount, 0);
    const grants = entries.filter(({ kind }) => kind === 'grant');
    if (sum !== balance) broken.push(`the entries of ${userId} add up to ${sum}, the balance is ${balance}`);
    if (balance < 0) broken.push(`the balance of ${userId} is ${balance}`);
    if (grants.length !== 1 || grants[0]!.amount !== granted)
      broken.push(`${userId} has ${grants.length} grants for a month, the balance says ${granted}`);
  }
  for (const { id, userId, status, credits, tool } of rows.jobs) {
    const what = `${status} ${tool} job ${id}`;
    const entries = rows.entries.filter(({ jobId }) => jobId === id);
    const charges = entries.filter(({ kind }) => kind === 'charge');
    const refunds = entries.filter(({ kind }) => kind === 'refund');
    const user = users.find((one) => one.id === userId);
    if (charges.length > 1) broken.push(`${what} was charged ${charges.length} times`);
    if (refunds.length > 1) broken.push(`${what} was refunded ${refunds.length} times`);
    if (user && !user.switchedPlan && charges.length !== (user.plan === 'free' ? 1 : 0))
      broken.push(`${what} of the ${user.plan} plan has ${charges.length} charges`);
    const isFree = status === 'failed' || status === 'cancelled';
    if (charges.length > 0 && isFree && refunds.length === 0) broken.push(`${what} was not refunded`);
    if (status === 'succeeded' && refunds.length > 0) broken.push(`${what} was refunded`);
    const paid = -entries.reduce((total, { amount }) => total + amount, 0);
    if (paid !== credits) broken.push(`${what} says ${credits} credits, its entries ${paid}`);
  }
  broken.push(...unstartedLedgers(rows));
  const unstarted = [...rows.items, ...rows.steps];
  const ids = new Set([...rows.jobs.map(({ id }) => id), ...unstarted.map(({ jobId }) => jobId)]);
  for (const { userId, kind, jobId } of rows.entries)
    if (jobId && !ids.has(jobId)) broken.push(`a ${kind} of ${userId} names job ${jobId}, which has no row`);
  for (const { name, tabs } of users)
    for (const { remaining } of tabs.flatMap(({ accounts }) => accounts))
      if (remaining !== null && remaining < 0)
        broken.push(`${name} received a balance of ${remaining} credits`);
  return broken;
};

/** Pictures and steps without a job: charged with their batch or flow, and refunded once they are skipped. */
function unstartedLedgers({ batches, items, steps, entries, jobs }: Rows): string[] {
  const ids = new Set(jobs.map(({ id }) => id));
  const priceOf = new Map(batches.map(({ id, credits }) => [id, credits]));
  const charged = [
    ...items.map(({ batchId, n, ...item }) => ({
      ...item,
      name: `picture ${n} of batch ${batchId}`,
      price: priceOf.get(batchId) ?? 0,
    })),
    ...steps.map(({ flowId, n, credits, ...step }) => ({
      ...step,
      name: `step ${n} of flow ${flowId}`,
      price: credits,
    })),
  ];
  return charged
    .filter(({ jobId }) => !ids.has(jobId))
    .flatMap(({ name, price, jobId, leftOut }) => {
      const own = entries.filter((entry) => entry.jobId === jobId);
      const paid = -own.reduce((total, { amount }) => total + amount, 0);
      const due = leftOut ? 0 : price;
      return paid === due ? [] : [`${name} costs ${due}, its entries ${paid}`];
    });
}
