import { isEnded, type HttpRecord } from './log.ts';
import { hasAccount, present, repeatedKeys, rowsById, type Rule } from './rule.ts';

/* Rules for stored jobs, creations, versions and flows: nothing accepted is lost, duplicated, or present after its deletion. */

/** True for a call that cleared the chats, and for one without an answer. */
const mayHaveClearedChats = ({ method, path, status }: HttpRecord) =>
  method === 'DELETE' && path === '/api/ai/pdf-chat-history' && (status === 200 || status === null);

export const everyAcceptedJobEndsOnce: Rule = (evidence) => {
  const rows = rowsById(evidence);
  const lost = present(evidence).flatMap(({ name, accepted, http }) =>
    accepted.flatMap(({ jobId, tool }) => {
      // Deleting a conversation deletes its questions.
      const isDeleted = tool === 'chat' && http.some(mayHaveClearedChats);
      return rows.has(jobId) || isDeleted
        ? []
        : [`${tool} job ${jobId} of ${name} was accepted, but has no row`];
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
  const jobsWithCreation = new Set<string>();
  for (const { id, jobId, userId } of evidence.rows.creations) {
    const job = jobId === null ? undefined : rows.get(jobId);
    if (!job || job.status !== 'succeeded' || job.userId !== userId)
      broken.push(`creation ${id} has a job ${jobId} that is ${job?.status ?? 'missing'}`);
    if (jobId && jobsWithCreation.has(jobId)) broken.push(`job ${jobId} has more than one creation`);
    if (jobId) jobsWithCreation.add(jobId);
  }
  const creations = new Set(evidence.rows.creations.map(({ id }) => id));
  for (const { id, result } of evidence.rows.jobs) {
    const creationId = result?.creationId;
    if (typeof creationId === 'string' && !creations.has(creationId))
      broken.push(`job ${id} names creation ${creationId}, which does not exist`);
  }
  return broken;
};

/** Each step with a ready input has started once, and one key has one flow. */
export const flowsContinue: Rule = (evidence) => {
  const { flows, steps } = evidence.rows;
  const jobs = rowsById(evidence);
  return [
    ...repeatedKeys(flows, 'flows'),
    ...steps.flatMap(({ flowId, n, jobId, started, isReady }) => {
      const step = `step ${n} of flow ${flowId}`;
      if (isReady) return [`${step} can start, but did not`];
      if (started && !jobs.has(jobId)) return [`${step} was started, but has no job`];
      return !started && jobs.has(jobId) ? [`${step} was not started, but has a job`] : [];
    }),
  ];
};

/** All jobs of a request exist, or none. */
export const groupsAreComplete: Rule = (evidence) => {
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

/** Each creation has one current version; saved versions exist, deleted versions do not. */
export const versionsAgreeWithRows: Rule = (evidence) => {
  const { creations, versions } = evidence.rows;
  const broken = creations.flatMap(({ id, content }) => {
    const own = versions.filter(({ creationId }) => creationId === id);
    const current = own.filter(({ isCurrent }) => isCurrent);
    if (own.length === 0) return [];
    return [
      ...(current.length === 1 && current[0]!.content === content
        ? []
        : [`creation ${id} has ${content}, its current version ${current.map((one) => one.content).join()}`]),
      ...(own.filter(({ number }) => number === 1).length === 1
        ? []
        : [`creation ${id} lost its first version`]),
    ];
  });
  const ids = new Set(versions.map(({ id }) => id));
  const contradicted = present(evidence).flatMap(({ name, versions: saved }) =>
    saved.flatMap(({ id, creationId, state }) => {
      if (!creations.some((creation) => creation.id === creationId)) return [];
      if (state === 'saved' && !ids.has(id))
        return [`version ${id} of ${name} was saved, but does not exist`];
      return state === 'deleted' && ids.has(id) ? [`version ${id} of ${name} was deleted, but exists`] : [];
    }),
  );
  return [...broken, ...contradicted];
};

/** A creation names its source while the source exists. */
export const sourcesAreNamed: Rule = (evidence) => {
  const { creations } = evidence.rows;
  return present(evidence).flatMap(({ accepted }) =>
    accepted.flatMap(({ jobId, source }) => {
      const result = source && creations.find((creation) => creation.jobId === jobId);
      if (!result || result.madeFrom === source) return [];
      return creations.some(({ id }) => id === source)
        ? [`creation ${result.id} was made from ${source}, but names ${result.madeFrom}`]
        : [];
    }),
  );
};

export const oneKeyNamesOneJob: Rule = ({ users, rows }) => {
  const received = users.flatMap(({ name, accepted }) => {
    const byKey = Map.groupBy(
      accepted.filter(({ key }) => key),
      ({ key }) => key,
    );
    return [...byKey].flatMap(([key, jobs]) => {
      const ids = new Set(jobs.map(({ jobId }) => jobId));
      return ids.size > 1 ? [`the key ${key} of ${name} names ${ids.size} jobs`] : [];
    });
  });
  return [...received, ...repeatedKeys(rows.jobs, 'rows')];
};

export const deletedStaysDeleted: Rule = (evidence) => {
  const { users, rows } = evidence;
  return users.flatMap((user) => {
    const { id, name, deletedCreations, uncertainCreations, deletedAccount, tabs } = user;
    if (deletedAccount === 'no' && !hasAccount(evidence, user)) return [`the account of ${name} is missing`];
    if (deletedAccount === 'yes') {
      const left = [...rows.jobs, ...rows.creations, ...rows.entries, ...rows.balances].filter(
        ({ userId }) => userId === id,
      );
      return [
        ...(hasAccount(evidence, user) ? [`the account of ${name} was deleted, but exists`] : []),
        ...(left.length > 0 ? [`${left.length} rows of the deleted account of ${name} remain`] : []),
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
          ? `creation ${creation.id} of ${name} is deleted without a request`
          : `creation ${creation.id} of ${name} was deleted, but exists`,
      );
  });
};
