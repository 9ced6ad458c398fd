import type { ItemRow, JobRow, Remains, Rows } from './evidence.ts';
import {
  isEnded,
  type HttpRecord,
  type PersonLog,
  type SeenBatch,
  type SeenJob,
  type TabLog,
} from './log.ts';

/**
 * The checker: compares what clients were told with the tables and the store. It shares no code with the product.
 * Each rule returns the promises that it found broken, in sentences.
 */
export interface Evidence {
  people: PersonLog[];
  rows: Rows;
}

type Rule = (evidence: Evidence) => string[];

/** Codes of answers of 500 and above that are meant. */
const MEANT: Record<number, string[]> = {
  502: ['PROVIDER_FAILED'],
  503: ['UNAVAILABLE', 'QUEUE_FULL', 'DISK_FULL'],
  504: ['JOB_TIMED_OUT'],
};

const rowsById = ({ rows }: Evidence) => new Map(rows.jobs.map((job) => [job.id, job]));

/** Whether the account is there; one whose deletion was not answered may be gone. */
const isThere = ({ rows }: Evidence, { id }: PersonLog) => rows.users.some((user) => user.id === id);

const present = (evidence: Evidence) => evidence.people.filter((person) => isThere(evidence, person));

const jobsSeenBy = ({ reads, tabs }: PersonLog): SeenJob[] => [
  ...reads,
  ...tabs.flatMap((tab) => [...tab.jobs, ...tab.view.values()]),
];

/** Without an answer, it may have been done all the same. */
const mayHaveClearedChats = ({ method, path, status }: HttpRecord) =>
  method === 'DELETE' && path === '/api/ai/pdf-chat-history' && (status === 200 || status === null);

export const everyAcceptedJobEndsOnce: Rule = (evidence) => {
  const rows = rowsById(evidence);
  const lost = present(evidence).flatMap(({ name, accepted, http }) =>
    accepted.flatMap(({ jobId, tool }) => {
      // The questions of a conversation are deleted with it.
      const isDeleted = tool === 'chat' && http.some(mayHaveClearedChats);
      return rows.has(jobId) || isDeleted
        ? []
        : [`${tool} job ${jobId} of ${name} was accepted, and has no row`];
    }),
  );
  const unfinished = evidence.rows.jobs
    .filter((job) => !isEnded(job))
    .map(
      (job) =>
        `${job.tool} job ${job.id} has not ended after ${job.age} s: ${job.status}, ${job.stage}, attempt ${job.attempts}`,
    );
  return [...lost, ...unfinished];
};

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

/** A step has started, once, where what it needs is there; one key made one flow. */
export const flowsGoOn: Rule = (evidence) => {
  const { flows, steps } = evidence.rows;
  const jobs = rowsById(evidence);
  const keyed = Map.groupBy(
    flows.filter(({ key }) => key),
    ({ userId, key }) => `${key} of ${userId}`,
  );
  return [
    ...[...keyed].flatMap(([key, found]) =>
      found.length > 1 ? [`the key ${key} has ${found.length} flows`] : [],
    ),
    ...steps.flatMap(({ flowId, n, jobId, started, isReady }) => {
      const step = `step ${n} of flow ${flowId}`;
      if (isReady) return [`${step} can start, and did not`];
      if (started && !jobs.has(jobId)) return [`${step} was started, and has no job`];
      return !started && jobs.has(jobId) ? [`${step} was not started, and has a job`] : [];
    }),
  ];
};

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

/** All jobs of a request are there, or none. */
export const groupsAreWhole: Rule = (evidence) => {
  const rows = rowsById(evidence);
  return present(evidence).flatMap(({ accepted }) =>
    accepted.flatMap(({ jobId, groupOf }) => {
      const group = groupOf === undefined ? null : rows.get(jobId)?.groupId;
      if (group == null) return [];
      const found = evidence.rows.jobs.filter(({ groupId }) => groupId === group);
      return found.length === groupOf
        ? []
        : [`the group of job ${jobId} has ${found.length} jobs, not ${groupOf}`];
    }),
  );
};

/** A creation shows one of its versions; those that were saved are there, those that were deleted are not. */
export const versionsAgreeWithRows: Rule = (evidence) => {
  const { creations, versions } = evidence.rows;
  const broken = creations.flatMap(({ id, content }) => {
    const own = versions.filter(({ creationId }) => creationId === id);
    const current = own.filter(({ isCurrent }) => isCurrent);
    if (own.length === 0) return [];
    return [
      ...(current.length === 1 && current[0]!.content === content
        ? []
        : [`creation ${id} shows ${content}, its versions ${current.map((one) => one.content).join()}`]),
      ...(own.filter(({ number }) => number === 1).length === 1
        ? []
        : [`creation ${id} lost what the engine gave`]),
    ];
  });
  const ids = new Set(versions.map(({ id }) => id));
  const told = present(evidence).flatMap(({ name, versions: seen }) =>
    seen.flatMap(({ id, creationId, state }) => {
      if (!creations.some((creation) => creation.id === creationId)) return [];
      if (state === 'saved' && !ids.has(id)) return [`version ${id} of ${name} was saved, and is gone`];
      return state === 'deleted' && ids.has(id) ? [`version ${id} of ${name} was deleted, and is there`] : [];
    }),
  );
  return [...broken, ...told];
};

/** What was made from a creation says so, while that is there. */
export const sourcesAreNamed: Rule = (evidence) => {
  const { creations } = evidence.rows;
  return present(evidence).flatMap(({ accepted }) =>
    accepted.flatMap(({ jobId, source }) => {
      const made = source && creations.find((creation) => creation.jobId === jobId);
      if (!made || made.madeFrom === source) return [];
      return creations.some(({ id }) => id === source)
        ? [`creation ${made.id} was made from ${source}, and names ${made.madeFrom}`]
        : [];
    }),
  );
};

export const everyCreationHasItsJob: Rule = (evidence) => {
  const rows = rowsById(evidence);
  const broken: string[] = [];
  const made = new Set<string>();
  for (const { id, jobId, userId } of evidence.rows.creations) {
    const job = jobId === null ? undefined : rows.get(jobId);
    if (!job || job.status !== 'succeeded' || job.userId !== userId)
      broken.push(`creation ${id} has a job ${jobId} that is ${job?.status ?? 'not there'}`);
    if (jobId && made.has(jobId)) broken.push(`job ${jobId} left more than one creation`);
    if (jobId) made.add(jobId);
  }
  const creations = new Set(evidence.rows.creations.map(({ id }) => id));
  for (const { id, result } of evidence.rows.jobs) {
    const creationId = result?.creationId;
    if (typeof creationId === 'string' && !creations.has(creationId))
      broken.push(`job ${id} names creation ${creationId}, which is not there`);
  }
  return broken;
};

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

export const answersAreMeant: Rule = ({ people }) =>
  people.flatMap(({ name, http }) =>
    http.flatMap(({ method, path, status, code, retryAfter, body }) => {
      const call = `${method} ${path} of ${name}`;
      if (status === null || status < 400) return [];
      if (status >= 500 && !MEANT[status]?.includes(code ?? ''))
        return [`${call} answered ${status}: ${JSON.stringify(body)}`];
      if (status === 503 && !retryAfter) return [`${call} answered 503 without Retry-After`];
      const hasOwnForm = path.startsWith('/api/auth/') || path.startsWith('/c/');
      return !code && !hasOwnForm ? [`${call} answered ${status} without a code`] : [];
    }),
  );

export const oneKeyNamesOneJob: Rule = ({ people, rows }) => {
  const told = people.flatMap(({ name, accepted }) => {
    const byKey = Map.groupBy(
      accepted.filter(({ key }) => key),
      ({ key }) => key,
    );
    return [...byKey].flatMap(([key, jobs]) => {
      const ids = new Set(jobs.map(({ jobId }) => jobId));
      return ids.size > 1 ? [`the key ${key} of ${name} names ${ids.size} jobs`] : [];
    });
  });
  const keyed = Map.groupBy(
    rows.jobs.filter(({ key }) => key),
    ({ userId, key }) => `${key} of ${userId}`,
  );
  const stored = [...keyed].flatMap(([key, jobs]) =>
    jobs.length > 1 ? [`the key ${key} has ${jobs.length} rows`] : [],
  );
  return [...told, ...stored];
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

export const deletedStaysDeleted: Rule = (evidence) => {
  const { people, rows } = evidence;
  return people.flatMap((person) => {
    const { id, name, deletedCreations, uncertainCreations, deletedAccount, tabs } = person;
    if (deletedAccount === 'no' && !isThere(evidence, person)) return [`the account of ${name} is gone`];
    if (deletedAccount === 'yes') {
      const left = [...rows.jobs, ...rows.creations, ...rows.entries, ...rows.balances].filter(
        ({ userId }) => userId === id,
      );
      return [
        ...(isThere(evidence, person) ? [`the account of ${name} was deleted, and is there`] : []),
        ...(left.length > 0 ? [`${left.length} rows of the deleted account of ${name} are there`] : []),
        ...(tabs.some(({ isConnected }) => isConnected)
          ? [`a socket of the deleted account of ${name} is open`]
          : []),
      ];
    }
    return rows.creations
      .filter((creation) => creation.userId === id && !uncertainCreations.has(creation.id))
      .filter((creation) => creation.isDeleted !== deletedCreations.has(creation.id))
      .map((creation) =>
        creation.isDeleted
          ? `creation ${creation.id} of ${name} is deleted, and nobody did it`
          : `creation ${creation.id} of ${name} was deleted, and is there`,
      );
  });
};

export const clientsSawNothingBroken: Rule = ({ people }) =>
  people.flatMap(({ name, violations }) => violations.map((violation) => `${name}: ${violation}`));

const rules: Rule[] = [
  everyAcceptedJobEndsOnce,
  ledgersAddUp,
  everyCreationHasItsJob,
  batchesAgreeWithRows,
  flowsGoOn,
  groupsAreWhole,
  versionsAgreeWithRows,
  sourcesAreNamed,
  eventsAgreeWithRows,
  textsAgreeWithResults,
  nobodyReceivesAnothersEvents,
  answersAreMeant,
  oneKeyNamesOneJob,
  tabsShowTheEnd,
  deletedStaysDeleted,
  clientsSawNothingBroken,
];

/** The broken promises of a round whose work is over. */
export const checkRound = (evidence: Evidence): string[] => rules.flatMap((rule) => rule(evidence));

/** The broken promises that show when everything is over and retention has passed. */
export function checkRemains(remains: Remains): string[] {
  const { objects, creationIds, shownKeys, versionKeys, pictureKeys, documentKeys } = remains;
  const stored = new Set(remains.stored);
  const keys = new Set(objects.map(({ key }) => key));
  const needed = new Set([...pictureKeys, ...documentKeys]);
  const creations = new Set(creationIds);
  const versions = new Set(versionKeys);
  const unused = objects.filter(({ key, kind, isRemoved, creationId }) => {
    if (isRemoved || kind === 'upload') return true;
    const isOfCreation = ['image', 'thumbnail', 'version'].includes(kind);
    if (kind === 'version' && !versions.has(key)) return true;
    return isOfCreation ? !creations.has(creationId ?? '') : !needed.has(key);
  });
  return [
    ...remains.stored.filter((name) => !keys.has(name)).map((name) => `object ${name} has no row`),
    ...objects
      .filter(({ key, isStored }) => isStored && !stored.has(key))
      .map(({ key, kind }) => `${kind} ${key} has a row, and no object`),
    ...unused.map(({ key, kind }) => `${kind} ${key} is needed by nothing, and is kept`),
    ...new Set(
      [...shownKeys, ...versionKeys]
        .filter((key) => !keys.has(key))
        .map((key) => `${key} is shown, and has no row`),
    ),
    ...remains.previews.map((id) => `preview ${id} is waited for by nobody, and is kept`),
    ...remains.queueEntries.map((entry) => `the queue still holds ${entry}`),
    ...remains.traces.map((trace) => `deleted, and still there: ${trace}`),
    ...remains.problems,
  ];
}
