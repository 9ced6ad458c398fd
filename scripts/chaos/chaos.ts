/**
 * `npm run chaos`: rounds of random work by several users while programs are killed, frozen and disconnected, services fail,
 * clocks jump and the disk is full. Afterwards a checker compares tables and store with the answers and events that clients
 * received. The same seed gives the same work and faults.
 */
import { parseArgs } from 'node:util';
import { findProgram } from '../../test/support/machine-programs.ts';
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { CommandError, print, styled } from '../stack/terminal.ts';
import { runBackend, type BackendName, type Outcome } from './backend.ts';
import { describePowerLoss, runPowerLoss } from './power-loss.ts';
import { runTwoEditors } from './two-editors.ts';

const BACKENDS: BackendName[] = ['postgres', 'redis', 'compose'];
const DEFAULT_ROUNDS = 10;
const DEFAULT_JOBS = 5_000;

await runCommand(
  async ({ signal, cleanup }) => {
    const { backends, seed, rounds, editors, powerLoss } = readOptions();
    if (editors !== null) {
      await build('servers');
      return (await runTwoEditors({ seed, seconds: editors }, cleanup)) ? 0 : 1;
    }
    if (powerLoss !== null) {
      const local = backends.filter((name) => name !== 'compose');
      if (local.length === 0) throw new CommandError('Losses of power are made on redis and postgres only.');
      print(`Chaos with losses of power: seed ${seed}, ${powerLoss.jobs} jobs on ${local.join(' and ')}.`);
      await build('servers');
      const outcomes = await Promise.all(
        local.map((backend) =>
          runPowerLoss({ ...powerLoss, backend, seed, jobs: powerLoss.jobs / local.length, signal, cleanup }),
        ),
      );
      for (const outcome of outcomes) print(describePowerLoss(outcome));
      return outcomes.some(({ lost, doubled, violations }) => lost + doubled + violations > 0) ? 1 : 0;
    }
    if (!findProgram('redis')) print('There is no redis-server on the path: nothing runs on Redis.');
    else if (backends.includes('redis') && !findProgram('pgbouncer'))
      print('There is no pgbouncer on the path: Redis runs without it, and nothing restarts it.');
    print(`Chaos: seed ${seed}, ${rounds} rounds on ${backends.join(' and ')}.`);
    if (backends.some((name) => name !== 'compose')) await build('servers');
    const outcomes = await Promise.all(
      backends.map((backend) => runBackend({ backend, seed, rounds, signal, cleanup })),
    );
    signal.throwIfAborted();
    print();
    for (const outcome of outcomes) print(describe(outcome));
    return outcomes.some(({ violations }) => violations > 0) ? 1 : 0;
  },
  { mustEnd: true },
);

interface Options {
  backends: BackendName[];
  seed: number;
  rounds: number;
  editors: number | null;
  powerLoss: { jobs: number; postgresSettings: Record<string, string> } | null;
}

function readOptions(): Options {
  const { values } = parse();
  const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000));
  const rounds = values.rounds ?? String(DEFAULT_ROUNDS);
  const editors = values.editors ?? null;
  const jobs = values.jobs ?? String(DEFAULT_JOBS);
  for (const [name, value] of Object.entries({ seed, rounds, jobs, editors: editors ?? '0' }))
    if (!/^\d{1,9}$/.test(value)) throw new CommandError(`--${name} must be a whole number.`);
  if (values['power-loss'] && values.backend === undefined && !findProgram('redis'))
    throw new CommandError(
      'There is no redis-server on the path: install it, or run all jobs on PostgreSQL with --backend postgres.',
    );
  const local: BackendName[] = findProgram('redis') ? ['postgres', 'redis'] : ['postgres'];
  const chosen = values.backend?.split(',') ?? local;
  const unknown = chosen.filter((name) => !BACKENDS.some((backend) => backend === name));
  if (unknown.length > 0)
    throw new CommandError(`There is no backend ${unknown.join(', ')}; there are ${BACKENDS.join(', ')}.`);
  return {
    ...{ backends: chosen as BackendName[], seed: Number(seed), rounds: Number(rounds) },
    editors: editors === null ? null : Number(editors),
    powerLoss: values['power-loss']
      ? { jobs: Number(jobs), postgresSettings: readSettings(values.postgres ?? []) }
      : null,
  };
}

/** @param given `name=value` each */
function readSettings(given: string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const setting of given) {
    const [name, value] = setting.split('=');
    if (!name || !value) throw new CommandError('--postgres must be a setting, such as fsync=off.');
    settings[name] = value;
  }
  return settings;
}

function parse() {
  try {
    return parseArgs({
      options: {
        ...{ seed: { type: 'string' }, rounds: { type: 'string' }, backend: { type: 'string' } },
        ...{ editors: { type: 'string' }, 'power-loss': { type: 'boolean' }, jobs: { type: 'string' } },
        postgres: { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

function describe({ backend, rounds, jobs, calls, events, faults, violations, seconds }: Outcome): string {
  const figures = `${rounds} rounds, ${jobs} jobs, ${calls} calls, ${events} events, ${faults} faults in ${seconds} s`;
  return violations === 0
    ? `${styled('green', '✓')} ${backend}: ${figures}; no violation`
    : `${styled('red', '✗')} ${backend}: ${figures}; ${violations} violations`;
}
