import { rowsById, type Rule } from './rule.ts';

/* Rules for acts of operators and the audit log. */

/** Begins the idempotency keys of retries by operators. */
const RETRY_KEY = 'retry-of-';

/** Each act has one entry that says how it ended, and each entry of a change has its change. */
export const actsAreRecorded: Rule = ({ operator, rows }) => {
  const entriesOf = Map.groupBy(rows.audit, ({ reason }) => reason);
  const acts = operator?.acts ?? [];
  const ofActs = acts.flatMap(({ action, target, reason, status }) => {
    const what = `${action} of ${target} (${reason})`;
    const entries = entriesOf.get(reason) ?? [];
    if (entries.length > 1) return [`${what} has ${entries.length} entries`];
    const [entry] = entries;
    if (entry && (entry.action !== action || entry.target !== target))
      return [`${what} is in the log as ${entry.action} of ${entry.target}`];
    const isRefused = status !== null && [400, 403, 404, 409].includes(status);
    if (status !== 200 && !isRefused) return [];
    if (!entry) return [`${what} was answered ${status}, but has no entry`];
    return isRefused === 'refused' in entry.details
      ? []
      : [`${what} was answered ${status}, but its entry says ${JSON.stringify(entry.details)}`];
  });
  const reasons = new Set(acts.map(({ reason }) => reason));
  const ofEntries = rows.audit.flatMap(({ action, target, reason }) =>
    reasons.has(reason) ? [] : [`${action} of ${target} is in the log without an act`],
  );
  return [...ofActs, ...ofEntries];
};

/** What operators changed is so, and nothing was changed without an entry. */
export const entriesAgreeWithRows: Rule = (evidence) => {
  const { audit, jobs, users } = evidence.rows;
  const byId = rowsById(evidence);
  const changes = audit.filter(({ details }) => !('refused' in details) && details['changed'] !== false);
  const retried = new Set<unknown>();
  const broken = changes.flatMap(({ action, target, details }) => {
    if (action === 'job.retry') {
      if (retried.has(details['jobId']))
        return [`two entries say that they made job ${String(details['jobId'])}`];
      retried.add(details['jobId']);
      const made = byId.get(String(details['jobId']));
      return made && made.retryOf !== target
        ? [`job ${made.id} does not retry ${target}, as the log says`]
        : [];
    }
    const job = action === 'job.cancel' ? byId.get(target) : undefined;
    return job && job.status !== 'cancelled'
      ? [`job ${target} is ${job.status}, not cancelled as the log says`]
      : [];
  });
  return [
    ...broken,
    ...jobs.flatMap(({ id, key }) =>
      key?.startsWith(RETRY_KEY) && !retried.has(id)
        ? [`job ${id} was retried by an operator without an entry`]
        : [],
    ),
    ...users.flatMap(({ id, isSuspended }) => (isSuspended ? [`user ${id} is still suspended`] : [])),
  ];
};
