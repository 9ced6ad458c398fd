import { isEnded, type HttpRecord } from './log.ts';
import { isThere, present, rowsById, type Rule } from './rule.ts';

/* What is stored of jobs, creations, versions and flows: nothing accepted is lost, done twice, or there after it was deleted. */

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
