import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { Actor } from './actions.ts';
import { checkRound } from './check.ts';
import { readRows } from './evidence.ts';
import type { Files } from './files.ts';
import { isEnded, type PersonLog } from './log.ts';
import { Person } from './person.ts';
import type { RoundPlan } from './plan.ts';
import { noteTabsThatShowTheEnd, tabsShowTheEnd } from './live-rules.ts';
import type { Evidence } from './rule.ts';
import type { World } from './world.ts';

/** Seconds in which some job must change while not all have ended: the longest pause is an outage. */
const JOBS_CHANGE_WITHIN = 120;
/** Seconds for all of it, on a machine that is busy with other things. */
const JOBS_END_WITHIN = 600;
/** Seconds after that in which every open tab must show it: two attempts to connect that a frozen api never answers. */
const TABS_SHOW_WITHIN = 60;

const ZIP_TRIES = 5;
const ZIP_AGAIN_MS = 1_000;

/** A round whose people have acted and whose faults are over. */
export interface ActiveRound {
  plan: RoundPlan;
  /** Waits for the end of its work, and checks it. */
  settle(): Promise<RoundResult>;
}

export interface RoundResult {
  violations: string[];
  evidence: Evidence;
  jobs: number;
  calls: number;
  events: number;
}

/** Signs a round's people up. Nothing is disturbed by this round yet. */
export async function signUpPeople(world: World, plan: RoundPlan, round: number): Promise<Person[]> {
  return Promise.all(
    plan.people.map(async (person, i) => {
      const name = `chaos${plan.seed}r${round}p${i + 1}`;
      const signedUp = await Person.signUp(world, name, person.plan);
      signedUp.openTab(i);
      return signedUp;
    }),
  );
}

/** The active part of a round: all people act while all faults are injected. */
export async function runRound(
  world: World,
  files: Files,
  plan: RoundPlan,
  people: Person[],
): Promise<ActiveRound> {
  const shared = { world, files, people };
  const work = plan.people.map(({ actions, deletesAccount }, i) =>
    new Actor(shared, people[i]!).act(actions, deletesAccount),
  );
  const faults = plan.faults.map(async (fault) => {
    await pause(fault.at);
    await world.inject(fault);
  });
  await Promise.all([...work, ...faults]);
  return { plan, settle: () => settle(world, people) };
}

async function settle(world: World, people: Person[]): Promise<RoundResult> {
  const logs = people.map(({ log }) => log);
  const evidence: Evidence = { people: logs, rows: await readRows(world, idsOf(logs)) };
  let changedAt = performance.now();
  const waitFor = (what: string, seconds: number, isSo: () => boolean) =>
    until(
      what,
      async () => {
        const before = revisionsOf(evidence);
        evidence.rows = await readRows(world, idsOf(logs));
        if (revisionsOf(evidence) !== before) changedAt = performance.now();
        return isSo();
      },
      { seconds, every: 300 },
      // What is still missing then is in the evidence.
    ).catch(() => undefined);
  await waitFor(
    'jobs to end',
    JOBS_END_WITHIN,
    () => hasEnded(evidence) || performance.now() - changedAt > JOBS_CHANGE_WITHIN * 1_000,
  );
  await waitFor('tabs to show it', TABS_SHOW_WITHIN, () => {
    noteTabsThatShowTheEnd(evidence);
    return tabsShowTheEnd(evidence).length === 0;
  });
  await Promise.all(people.map(readZips));
  evidence.rows = await readRows(world, idsOf(logs));
  const violations = checkRound(evidence);
  for (const person of people) person.close();
  return {
    violations,
    evidence,
    jobs: evidence.rows.jobs.length,
    calls: sum(logs, ({ http }) => http.length),
    events: sum(logs, ({ tabs }) =>
      tabs.reduce(
        (all, { jobs, deltas, accounts }) => all + jobs.length + deltas.length + accounts.length,
        0,
      ),
    ),
  };
}

/** Reads the ZIP of each batch; a fault of the next round may break it off. */
async function readZips(person: Person): Promise<void> {
  if (person.log.deletedAccount !== 'no') return;
  for (const batch of person.log.batches) {
    for (let i = 0; i < ZIP_TRIES && batch.zip === null; i += 1) {
      batch.zip = await person.namesInZip(batch.id, i);
      if (batch.zip === null) await pause(ZIP_AGAIN_MS);
    }
  }
}

/** A step that can start will be a job. */
const hasEnded = ({ rows }: Evidence) =>
  rows.jobs.every(isEnded) && !rows.steps.some(({ isReady }) => isReady);

const revisionsOf = ({ rows }: Evidence) =>
  rows.jobs
    .map(({ id, revision }) => `${id} ${revision}`)
    .sort()
    .join();
const idsOf = (logs: PersonLog[]) => logs.map(({ id }) => id);
const sum = (logs: PersonLog[], count: (log: PersonLog) => number) =>
  logs.reduce((all, log) => all + count(log), 0);

/** Unique texts that nothing may hold any more: of deleted accounts, and of creations whose jobs are all deleted. */
export function deletedTexts({ people, rows }: Evidence): string[] {
  return people.flatMap((person) => {
    if (person.deletedAccount === 'yes') return [person.email, person.name];
    const deleted = rows.creations.filter(
      ({ id, userId, isDeleted }) => userId === person.id && isDeleted && !person.uncertainCreations.has(id),
    );
    const isGone = (creationId: string) => deleted.some(({ id }) => id === creationId);
    const labels = person.versions
      .filter(({ creationId, state }) => state === 'deleted' || isGone(creationId))
      .map(({ label }) => label);
    const prompts = deleted.flatMap(({ jobId }) => {
      const job = person.accepted.find((one) => one.jobId === jobId);
      const isOnly =
        job &&
        person.accepted
          .filter(({ marker }) => marker === job.marker)
          .every(({ jobId }) => jobId === job.jobId);
      // Documents and their chats are deleted by themselves.
      return isOnly && ['article', 'titles', 'humanize', 'rewrite', 'image'].includes(job.tool)
        ? [job.marker]
        : [];
    });
    return [...labels, ...prompts];
  });
}
