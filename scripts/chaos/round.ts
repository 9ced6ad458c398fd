import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { Actor } from './actions.ts';
import { checkRound } from './check.ts';
import { readRows } from './evidence.ts';
import type { Files } from './files.ts';
import { isEnded, type UserLog } from './log.ts';
import { OperatorActor } from './operator-actor.ts';
import { ChaosUser } from './chaos-user.ts';
import type { RoundPlan } from './plan.ts';
import { markCompleteTabs, tabsShowEndedJobs } from './live-rules.ts';
import type { Evidence } from './rule.ts';
import type { World } from './world.ts';

/** Seconds within which some job must change until all have ended: longer than an outage. */
const JOBS_CHANGE_WITHIN = 120;
/** Seconds until all jobs must have ended, also on a busy machine. */
const JOBS_END_WITHIN = 600;
/** Seconds until every open tab must show all jobs as ended: longer than two attempts to connect to a frozen api. */
const TABS_SHOW_WITHIN = 60;

const ZIP_ATTEMPTS = 5;
const ZIP_RETRY_MS = 1_000;

/** A round after the actions of its users and its faults. */
export interface ActiveRound {
  plan: RoundPlan;
  /** Waits for the end of all jobs, and checks the round. */
  settle(): Promise<RoundResult>;
}

export interface RoundResult {
  violations: string[];
  evidence: Evidence;
  jobs: number;
  calls: number;
  events: number;
}

/** The users of a round, and the operator who acts on them. */
export interface RoundUsers {
  users: ChaosUser[];
  operator: OperatorActor;
}

/** Signs up the users of a round, before its faults. */
export async function signUpUsers(world: World, plan: RoundPlan, round: number): Promise<RoundUsers> {
  const operator = ChaosUser.signUp(world, `chaos${plan.seed}r${round}op`, {
    plan: 'free',
    isProgram: false,
  }).then((user) => OperatorActor.appoint(world, user));
  const users = await Promise.all(
    plan.users.map(async (user, i) => {
      const name = `chaos${plan.seed}r${round}p${i + 1}`;
      const signedUp = await ChaosUser.signUp(world, name, { plan: user.plan, isProgram: i % 2 === 1 });
      signedUp.openTab(i);
      return signedUp;
    }),
  );
  return { users, operator: await operator };
}

/** Performs the actions of all users while all faults are injected. */
export async function runRound(
  world: World,
  files: Files,
  plan: RoundPlan,
  { users, operator }: RoundUsers,
): Promise<ActiveRound> {
  const shared = { world, files, users, operator };
  const work = plan.users.map(({ actions, deletesAccount }, i) =>
    new Actor(shared, users[i]!).act(actions, deletesAccount),
  );
  const faults = plan.faults.map(async (fault) => {
    await pause(fault.at);
    await world.inject(fault);
  });
  await Promise.all([...work, ...faults]);
  return { plan, settle: () => settle(world, users, operator.user.log) };
}

/** Waits for the end of all jobs of the users, and checks them. */
export async function settle(world: World, users: ChaosUser[], operator?: UserLog): Promise<RoundResult> {
  const logs = users.map(({ log }) => log);
  const read = () => readRows(world, idsOf(logs), operator?.id);
  const evidence: Evidence = { users: logs, operator, rows: await read() };
  let changedAt = performance.now();
  const waitFor = (what: string, seconds: number, isSo: () => boolean) =>
    until(
      what,
      async () => {
        const before = revisionsOf(evidence);
        evidence.rows = await read();
        if (revisionsOf(evidence) !== before) changedAt = performance.now();
        return isSo();
      },
      { seconds, every: 300 },
      // Missing ends are in the evidence.
    ).catch(() => undefined);
  await waitFor(
    'jobs to end',
    JOBS_END_WITHIN,
    () => hasEnded(evidence) || performance.now() - changedAt > JOBS_CHANGE_WITHIN * 1_000,
  );
  await waitFor('tabs to show it', TABS_SHOW_WITHIN, () => {
    markCompleteTabs(evidence);
    return tabsShowEndedJobs(evidence).length === 0;
  });
  await Promise.all(users.map(readZips));
  evidence.rows = await read();
  const violations = checkRound(evidence);
  for (const user of users) user.close();
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

/** Reads the ZIP of each batch; faults of the next round may interrupt it. */
async function readZips(user: ChaosUser): Promise<void> {
  if (user.log.deletedAccount !== 'no') return;
  for (const batch of user.log.batches) {
    for (let i = 0; i < ZIP_ATTEMPTS && batch.zip === null; i += 1) {
      batch.zip = await user.namesInZip(batch.id, i);
      if (batch.zip === null) await pause(ZIP_RETRY_MS);
    }
  }
}

/** True when all jobs have ended and no step of a flow can start another job. */
const hasEnded = ({ rows }: Evidence) =>
  rows.jobs.every(isEnded) && !rows.steps.some(({ isReady }) => isReady);

const revisionsOf = ({ rows }: Evidence) =>
  rows.jobs
    .map(({ id, revision }) => `${id} ${revision}`)
    .sort()
    .join();
const idsOf = (logs: UserLog[]) => logs.map(({ id }) => id);
const sum = (logs: UserLog[], count: (log: UserLog) => number) =>
  logs.reduce((all, log) => all + count(log), 0);

/** Unique texts that must be deleted everywhere: of deleted accounts, and of creations without a remaining job. */
export function deletedTexts({ users, rows }: Evidence): string[] {
  return users.flatMap((user) => {
    if (user.deletedAccount === 'yes') return [user.email, user.name];
    const deleted = rows.creations.filter(
      ({ id, userId, isDeleted }) => userId === user.id && isDeleted && !user.uncertainCreations.has(id),
    );
    const isDeleted = (creationId: string) => deleted.some(({ id }) => id === creationId);
    const labels = user.versions
      .filter(({ creationId, state }) => state === 'deleted' || isDeleted(creationId))
      .map(({ label }) => label);
    const prompts = deleted.flatMap(({ jobId }) => {
      const job = user.accepted.find((one) => one.jobId === jobId);
      const isOnly =
        job &&
        user.accepted.filter(({ marker }) => marker === job.marker).every(({ jobId }) => jobId === job.jobId);
      // Documents and their chats have their own deletion.
      return isOnly && ['article', 'titles', 'humanize', 'rewrite', 'image'].includes(job.tool)
        ? [job.marker]
        : [];
    });
    return [...labels, ...prompts];
  });
}
