import type { JobRow } from './evidence.ts';
import { isEnded, type PersonLog, type SeenJob, type TabLog } from './log.ts';
import { isThere, present, rowsById, type Evidence, type Rule } from './rule.ts';

/* What a client was told of jobs while they ran: answers, events and texts. */

const jobsSeenBy = ({ reads, tabs }: PersonLog): SeenJob[] => [
  ...reads,
  ...tabs.flatMap((tab) => [...tab.jobs, ...tab.view.values()]),
];

/** What a client was told of a job agrees with its row, and with all else it was told. */
export const eventsAgreeWithRows: Rule = (evidence) => {
  const rows = rowsById(evidence);
  return present(evidence).flatMap((person) => {
    const byJob = Map.groupBy(jobsSeenBy(person), ({ id }) => id);
    return [...byJob].flatMap(([id, seen]) => {
      const row = rows.get(id);
      return row ? disagreements(row, seen) : [];
    });
  });
};

function disagreements(row: JobRow, seen: SeenJob[]): string[] {
  const broken: string[] = [];
  const inOrder = seen.toSorted((one, other) => one.revision - other.revision);
  const what = `job ${row.id}`;
  let before: SeenJob | undefined;
  for (const job of inOrder) {
    const at = `${what}, revision ${job.revision},`;
    if (job.revision > row.revision) broken.push(`${at} was told, the row has ${row.revision}`);
    if (job.revision === row.revision && !sameState(job, row))
      broken.push(`${at} was told as ${stateOf(job)}, the row is ${stateOf(row)}`);
    if (isEnded(job) && job.status !== row.status)
      broken.push(`${at} was told as ${job.status}, it is ${row.status}`);
    if (before && before.revision === job.revision && !sameState(job, before))
      broken.push(`${at} was told as ${stateOf(before)} and as ${stateOf(job)}`);
    if (before && job.attempts < before.attempts)
      broken.push(`${at} has attempt ${job.attempts} after attempt ${before.attempts}`);
    if (before && isEnded(before) && before.status !== job.status)
      broken.push(`${at} is ${job.status} after ${before.status}`);
    const told = job.result?.content;
    const stored = row.result?.content;
    if (typeof told === 'string' && typeof stored === 'string' && !isAddress(told) && told !== stored)
      broken.push(`${at} was told with another result than the row has`);
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

/** Text that a client shows of the attempt that succeeded is in its result, at its place. */
export const textsAgreeWithResults: Rule = (evidence) => {
  const rows = rowsById(evidence);
  return present(evidence).flatMap((person) => {
    const seen = jobsSeenBy(person);
    const contentOf = (row: JobRow) =>
      [row.result, ...seen.filter(({ id }) => id === row.id).map(({ result }) => result)]
        .map((result) => result?.content)
        .find((content) => typeof content === 'string');
    const ofTabs = person.tabs.flatMap((tab) => textsOfTab(tab, rows, contentOf));
    const ofReads = person.reads.flatMap((job) => {
      const row = rows.get(job.id);
      const content = row && contentOf(row);
      if (row?.status !== 'succeeded' || !content || isAddress(content)) return [];
      if (job.status !== 'running' || job.attempts !== row.attempts || !job.partial) return [];
      return plainQuotes(content).startsWith(plainQuotes(job.partial).trimEnd())
        ? []
        : [`job ${job.id} was read with a text that its result denies: ${difference(content, job.partial)}`];
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
    if (attempt > row.attempts) broken.push(`${what} a text came, the row has attempt ${row.attempts}`);
    const whole = texts.get(`${id}/${attempt}`) ?? '';
    const known = whole.slice(offset, offset + text.length);
    // Characters that were not received are NUL.
    if (known.split('').some((character, i) => character !== '\0' && character !== text[i]))
      broken.push(`${what} two texts came for the same place`);
    texts.set(
      `${id}/${attempt}`,
      whole.padEnd(offset, '\0').slice(0, offset) + text + whole.slice(offset + text.length),
    );
    const content = contentOf(row);
    if (row.status !== 'succeeded' || attempt !== row.attempts || content === undefined) continue;
    const stored = content.slice(offset, offset + text.length);
    if (plainQuotes(stored).trimEnd() !== plainQuotes(text).trimEnd())
      broken.push(`${what} the result denies a text at ${offset}: ${difference(stored, text)}`);
  }
  return broken;
}

/** The quotation marks of a checked answer about a PDF are set as a printer does, those of its stream are the model's. */
const plainQuotes = (text: string) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'");

function difference(stored: string, told: string): string {
  const at = told.split('').findIndex((unit, i) => unit !== stored[i]);
  const part = (text: string) => JSON.stringify(text.slice(Math.max(at - 20, 0), at + 40));
  return `told ${part(told)}, stored ${part(stored)}`;
}

export const nobodyReceivesAnothersEvents: Rule = (evidence) => {
  const rows = rowsById(evidence);
  const owners = new Map(
    evidence.people.flatMap(({ id, accepted }) => accepted.map((job) => [job.jobId, id])),
  );
  return evidence.people.flatMap((person) =>
    person.tabs.flatMap((tab) => {
      const ids = new Set([...tab.jobs, ...tab.deltas].map(({ id }) => id));
      const foreign = [...ids].filter((id) => {
        const owner = rows.get(id)?.userId ?? owners.get(id);
        return owner ? owner !== person.id : isThere(evidence, person);
      });
      const accounts = tab.accounts.filter(({ userId }) => userId !== person.id);
      return [
        ...foreign.map((id) => `${tab.name} received job ${id}, which is not its user's`),
        ...accounts.map(({ userId }) => `${tab.name} received the account ${userId}`),
      ];
    }),
  );
};

/** A tab that lost its connection shows what one shows that never did: every job, at its end. */
export const tabsShowTheEnd: Rule = (evidence) =>
  openTabs(evidence).flatMap(({ tab, jobs }) => (tab.hasShownTheEnd ? [] : missingIn(tab, jobs)));

/** Notes which tabs show it now. */
export function noteTabsThatShowTheEnd(evidence: Evidence): void {
  for (const { tab, jobs } of openTabs(evidence)) tab.hasShownTheEnd ||= missingIn(tab, jobs).length === 0;
}

const openTabs = (evidence: Evidence) =>
  present(evidence).flatMap(({ id, tabs }) => {
    const jobs = evidence.rows.jobs.filter(({ userId }) => userId === id);
    return tabs.filter(({ isOpen }) => isOpen).map((tab) => ({ tab, jobs }));
  });

const missingIn = ({ name, view, isConnected }: TabLog, jobs: JobRow[]): string[] => [
  ...(isConnected ? [] : [`${name} did not connect again`]),
  ...jobs.flatMap(({ id, tool, status }) => {
    const shown = view.get(id)?.status ?? 'nothing';
    return shown === status ? [] : [`${name} shows ${shown} of ${tool} job ${id}, which is ${status}`];
  }),
];
