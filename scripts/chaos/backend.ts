import { until } from '../../test/support/until.ts';
import { aborted } from '../stack/command.ts';
import { print, styled } from '../stack/terminal.ts';
import { checkRemains } from './check.ts';
import { startComposeWorld } from './compose-world.ts';
import { readRemains } from './evidence.ts';
import { makeFiles } from './files.ts';
import { startLocalWorld } from './local-world.ts';
import { planRound, type RoundPlan } from './plan.ts';
import { deletedTexts, runRound, signUpPeople, type RoundResult } from './round.ts';
import { saveEvidence } from './save-evidence.ts';
import type { World } from './world.ts';

export type BackendName = 'postgres' | 'redis' | 'compose';

interface Run {
  backend: BackendName;
  seed: number;
  rounds: number;
  signal: AbortSignal;
  cleanup: AsyncDisposableStack;
}

export interface Outcome {
  backend: BackendName;
  rounds: number;
  jobs: number;
  calls: number;
  events: number;
  faults: number;
  violations: number;
  seconds: number;
}

/** Rounds whose work may still be ending while the next one runs. */
const SETTLING_AT_MOST = 3;
/** Seconds until what was deleted is gone from everywhere: events are kept for half a minute. */
const GONE_WITHIN = 60;
const VIOLATIONS_PRINTED = 20;

/** All rounds on one backend, one after the other, and the check of what is left at the end. */
export async function runBackend({ backend, seed, rounds, signal, cleanup }: Run): Promise<Outcome> {
  const began = performance.now();
  const world = await startWorld(backend, signal);
  cleanup.defer(() => world.close());
  const files = await makeFiles();
  const outcome = { backend, rounds: 0, jobs: 0, calls: 0, events: 0, faults: 0, violations: 0, seconds: 0 };
  const deleted: string[] = [];
  const settling = new Set<Promise<void>>();

  const report = (what: string, violations: string[], command: string, evidence: unknown, faults = '') => {
    if (violations.length === 0) return;
    outcome.violations += violations.length;
    print(`${styled('red', '✗')} ${backend}, ${what}: ${violations.length} broken promises`);
    for (const violation of violations.slice(0, VIOLATIONS_PRINTED)) print(`    ${violation}`);
    if (faults) print(faults);
    print(`    Evidence: ${saveEvidence(world, evidence)}`);
    print(`    Again: ${command}`);
  };
  const command = (count: number) => `npm run chaos -- --backend ${backend} --seed ${seed} --rounds ${count}`;
  const finish = (plan: RoundPlan, number: number, result: RoundResult) => {
    outcome.rounds += 1;
    outcome.jobs += result.jobs;
    outcome.calls += result.calls;
    outcome.events += result.events;
    outcome.faults += plan.faults.length;
    deleted.push(...deletedTexts(result.evidence));
    if (outcome.rounds % 10 === 0)
      print(`  ${backend}: ${outcome.rounds} rounds, ${outcome.jobs} jobs so far`);
    report(`round ${number}`, result.violations, command(number), { plan, ...result }, describeFaults(plan));
  };

  let people = signUpPeople(world, planRound(seed, world.faults), 1);
  for (let i = 0; i < rounds && !signal.aborted; i += 1) {
    // The seed of a round is that of the run and its number.
    const plan = planRound(seed + i, world.faults);
    const round = await runRound(world, files, plan, await people);
    if (i + 1 < rounds) people = signUpPeople(world, planRound(seed + i + 1, world.faults), i + 2);
    const settled = round
      .settle()
      .then((result) => finish(plan, i + 1, result))
      .catch((error: unknown) => {
        // A run that was stopped takes its services away.
        if (!signal.aborted) throw error;
      })
      .finally(() => settling.delete(settled));
    settling.add(settled);
    while (settling.size >= SETTLING_AT_MOST)
      await Promise.race([...settling, aborted(signal)]).then(() => signal.throwIfAborted());
  }
  await Promise.race([Promise.all(settling), aborted(signal)]);
  if (!signal.aborted) {
    const violations = await checkEnd(world, deleted);
    report('after all rounds', violations, command(rounds), { violations });
  }
  outcome.seconds = Math.round((performance.now() - began) / 1_000);
  return outcome;
}

const startWorld = (backend: BackendName, signal: AbortSignal): Promise<World> =>
  backend === 'compose' ? startComposeWorld(signal) : startLocalWorld(backend);

/** Has everything deleted that may be, and checks what is left. */
async function checkEnd(world: World, deleted: string[]): Promise<string[]> {
  await world.passTwoDays();
  let broken: string[] = [];
  await until(
    'all to be gone',
    async () => {
      broken = checkRemains(await readRemains(world, deleted));
      return broken.length === 0;
    },
    { seconds: GONE_WITHIN, every: 1_000 },
    // What is left then is the finding.
  ).catch(() => undefined);
  return broken;
}

const describeFaults = ({ faults, seed }: RoundPlan) =>
  `    Its seed is ${seed}, its faults: ${faults.map(({ name, at, lasting }) => `${name} at ${at} ms for ${lasting} ms`).join(', ')}`;
