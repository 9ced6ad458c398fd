import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/support/until.ts';
import { aborted } from '../stack/command.ts';
import { print, styled } from '../stack/terminal.ts';
import { checkRemains } from './check.ts';
import { startComposeWorld } from './compose-world.ts';
import { readRemains } from './evidence.ts';
import { makeFiles } from './files.ts';
import { startLocalWorld } from './local-world.ts';
import { planRound, type RoundPlan } from './plan.ts';
import { deletedTexts, runRound, signUpUsers, type RoundResult } from './round.ts';
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

/** Maximum number of rounds whose work is still ending while the next round runs. */
const MAX_SETTLING = 3;
/** Seconds until deleted data is deleted everywhere; events are stored for half a minute. */
const DELETED_WITHIN = 60;
const MAX_PRINTED_VIOLATIONS = 20;

/** Runs all rounds on one backend, one after the other, and checks the remaining data at the end. */
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
    print(`${styled('red', '✗')} ${backend}, ${what}: ${violations.length} violations`);
    for (const violation of violations.slice(0, MAX_PRINTED_VIOLATIONS)) print(`    ${violation}`);
    if (faults) print(faults);
    print(`    Evidence: ${saveEvidence(world, evidence)}`);
    print(`    Repeat: ${command}`);
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

  let users = signUpUsers(world, planRound(seed, world.faults), 1);
  for (let i = 0; i < rounds && !signal.aborted; i += 1) {
    // The seed of a round is the seed of the run plus its index.
    const plan = planRound(seed + i, world.faults);
    const round = await runRound(world, files, plan, await users);
    if (i + 1 < rounds) users = signUpUsers(world, planRound(seed + i + 1, world.faults), i + 2);
    const settled = round
      .settle()
      .then((result) => finish(plan, i + 1, result))
      .catch((error: unknown) => {
        // A stopped run stops its services.
        if (!signal.aborted) throw error;
      })
      .finally(() => settling.delete(settled));
    settling.add(settled);
    while (settling.size >= MAX_SETTLING)
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

/** Runs all retention, and checks the remaining data. */
async function checkEnd(world: World, deleted: string[]): Promise<string[]> {
  await world.passTwoDays();
  let broken: string[] = [];
  await until(
    'deleted data to be removed everywhere',
    async () => {
      broken = checkRemains(await readRemains(world, deleted));
      return broken.length === 0;
    },
    { seconds: DELETED_WITHIN, every: 1_000 },
    // Data that remains after the time limit is a violation.
  ).catch(() => undefined);
  return broken;
}

const describeFaults = ({ faults, seed }: RoundPlan) =>
  `    Seed ${seed}, faults: ${faults.map(({ name, at, lasting }) => `${name} at ${at} ms for ${lasting} ms`).join(', ')}`;

/** Writes the evidence and the output of the programs to a new folder. @returns its path */
export function saveEvidence(world: World, evidence: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), `pressroom-chaos-${world.name}-evidence-`));
  writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence, plain, 1));
  mkdirSync(join(folder, 'logs'));
  for (const [name, text] of Object.entries(world.logs()))
    writeFileSync(join(folder, 'logs', `${name.replaceAll(' ', '-')}.log`), text);
  return folder;
}

const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value;
