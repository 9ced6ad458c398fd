import type { JobRow } from './evidence.ts';
import { isEnded, type UserLog, type ReceivedJob, type TabLog } from './log.ts';
import { hasAccount, present, rowsById, type Evidence, type Rule } from './rule.ts';

/* Rules for the answers, events and texts of jobs that clients received. */

const jobsReceivedBy = ({ reads, tabs }: UserLog): ReceivedJob[] => [
  ...reads,
  ...tabs.flatMap((tab) => [...tab.jobs, ...tab.view.values()]),
];

/** All answers and events about a job agree with its row and with each other. */
export const eventsAgreeWithRows: Rule = (evidence) => {
  const rows = rowsById(evidence);
  return present(evidence).flatMap((user) => {
    const byJob = Map.groupBy(jobsReceivedBy(user), ({ id }) => id);
    return [...byJob].flatMap(([id, states]) => {
      const row = rows.get(id);
      return row ? disagreements(row, states) : [];
    });
  });
};

function disagreements(row: JobRow, states: ReceivedJob[]): string[] {
  const broken: string[] = [];
  const inOrder = states.toSorted((one, other) => one.revision - other.revision);
  const what = `job ${row.id}`;
  let before: ReceivedJob | undefined;
  for (const job of inOrder) {
    const at = `${what}, revision ${job.revision},`;
    if (job.revision > row.revision) broken.push(`${at} was sent, the row has ${row.revision}`);
    if (job.revision === row.revision && !sameState(job, row))
      broken.push(`${at} was sent as ${stateOf(job)}, the row is ${stateOf(row)}`);
    if (isEnded(job) && job.status !== row.status)
      broken.push(`${at} was sent as ${job.status}, it is ${row.status}`);
    if (before && before.revision === job.revision && !sameState(job, before))
      broken.push(`${at} was sent as ${stateOf(before)} and as ${stateOf(job)}`);
    if (before && job.attempts < before.attempts)
      broken.push(`${at} has attempt ${job.attempts} after attempt ${before.attempts}`);
    if (before && isEnded(before) && before.status !== job.status)
      broken.push(`${at} is ${job.status} after ${before.status}`);
    const sent = job.result?.content;
    const stored = row.result?.content;
    if (typeof sent === 'string' && typeof stored === 'string' && !isAddress(sent) && sent !== stored)
      broken.push(`${at} was sent with another result than the row has`);
    before = job;
  }
  return broken;
}

interface State {
  status: string;
  attempts: number;
  credits: number;
}
const sameState = (one: State, other: State) => stateOf(one) === stateOf(other);
const stateOf = ({ status, attempts, credits }: State) =>
  `${status}, attempt ${attempts}, ${credits} credits`;
const isAddress = (content: string) => content.includes('/files/');

/** Texts of the successful attempt are in its result, at their offsets. */
export const textsAgreeWithResults: Rule = (evidence) => {
  const rows = rowsById(evidence);
  return present(evidence).flatMap((user) => {
    const received = jobsReceivedBy(user);
    const contentOf = (row: JobRow) =>
      [row.result, ...received.filter(({ id }) => id === row.id).map(({ result }) => result)]
        .map((result) => result?.content)
        .find((content) => typeof content === 'string');
    const ofTabs = user.tabs.flatMap((tab) => textsOfTab(tab, rows, contentOf));
    const ofReads = user.reads.flatMap((job) => {
      const row = rows.get(job.id);
      const content = row && contentOf(row);
      if (row?.status !== 'succeeded' || !content || isAddress(content)) return [];
      if (job.status !== 'running' || job.attempts !== row.attempts || !job.partial) return [];
      return plainQuotes(content).startsWith(plainQuotes(job.partial).trimEnd())
        ? []
        : [`the answer about job ${job.id} contradicts its result: ${difference(content, job.partial)}`];
    });
    return [...ofTabs, ...ofReads];
  });
};

function textsOfTab(
  tab: TabLog,
  rows: Map<string, JobRow>,
  contentOf: (row: JobRow) => string | undefined,
): string[] {
  const broken: string[] = [];
  const texts = new Map<string, string>();
  for (const { id, attempt, offset, text } of tab.deltas) {
    const row = rows.get(id);
    if (!row) continue;
    const what = `attempt ${attempt} of job ${id}, on ${tab.name}:`;
    if (attempt > row.attempts) broken.push(`${what} received a text, the row has attempt ${row.attempts}`);
    const whole = texts.get(`${id}/${attempt}`) ?? '';
    const earlier = whole.slice(offset, offset + text.length);
    // Missing characters are NUL.
    if (earlier.split('').some((character, i) => character !== '\0' && character !== text[i]))
      broken.push(`${what} received two texts for the same offset`);
    texts.set(
      `${id}/${attempt}`,
      whole.padEnd(offset, '\0').slice(0, offset) + text + whole.slice(offset + text.length),
    );
    const content = contentOf(row);
    if (row.status !== 'succeeded' || attempt !== row.attempts || content === undefined) continue;
    const stored = content.slice(offset, offset + text.length);
    if (plainQuotes(stored).trimEnd() !== plainQuotes(text).trimEnd())
      broken.push(`${what} the result contradicts a text at ${offset}: ${difference(stored, text)}`);
  }
  return broken;
}

/** The stored answer about a PDF has typographic quotation marks; its stream has the model's. */
const plainQuotes = (text: string) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'");

function difference(stored: string, sent: string): string {
  const at = sent.split('').findIndex((unit, i) => unit !== stored[i]);
  const part = (text: string) => JSON.stringify(text.slice(Math.max(at - 20, 0), at + 40));
  return `sent ${part(sent)}, stored ${part(stored)}`;
}

/** Users receive only events of their own jobs and account. */
export const usersReceiveOwnEvents: Rule = (evidence) => {
  const rows = rowsById(evidence);
  const owners = new Map(
    evidence.users.flatMap(({ id, accepted }) => accepted.map((job) => [job.jobId, id])),
  );
  return evidence.users.flatMap((user) =>
    user.tabs.flatMap((tab) => {
      const ids = new Set([...tab.jobs, ...tab.deltas].map(({ id }) => id));
      const foreign = [...ids].filter((id) => {
        const owner = rows.get(id)?.userId ?? owners.get(id);
        return owner ? owner !== user.id : hasAccount(evidence, user);
      });
      const accounts = tab.accounts.filter(({ userId }) => userId !== user.id);
      return [
        ...foreign.map((id) => `${tab.name} received job ${id} of another user`),
        ...accounts.map(({ userId }) => `${tab.name} received the account ${userId}`),
      ];
    }),
  );
};

/** Every open tab showed all jobs as ended, also after lost connections. */
export const tabsShowEndedJobs: Rule = (evidence) =>
  openTabs(evidence).flatMap(({ tab, jobs }) => (tab.isComplete ? [] : missingIn(tab, jobs)));

/** Marks the tabs that show all jobs as ended. */
export function markCompleteTabs(evidence: Evidence): void {
  for (const { tab, jobs } of openTabs(evidence)) tab.isComplete ||= missingIn(tab, jobs).length === 0;
}

const openTabs = (evidence: Evidence) =>
  present(evidence).flatMap(({ id, tabs }) => {
    const jobs = evidence.rows.jobs.filter(({ userId }) => userId === id);
    return tabs.filter(({ isOpen }) => isOpen).map((tab) => ({ tab, jobs }));
  });

const missingIn = ({ name, view, isConnected }: TabLog, jobs: JobRow[]): string[] => [
  ...(isConnected ? [] : [`${name} did not connect again`]),
  ...jobs.flatMap(({ id, tool, status }) => {
    const displayed = view.get(id)?.status ?? 'nothing';
    return displayed === status
      ? []
      : [`${name} shows ${displayed} for ${tool} job ${id}, which is ${status}`];
  }),
];
