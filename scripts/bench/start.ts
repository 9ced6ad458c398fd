import { readFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { table } from '../cli/table.ts';
import { inRoot } from '../stack/root.ts';
import { median } from '../stack/statistics.ts';
import { CommandError, print } from '../stack/terminal.ts';
import { machine } from './figures.ts';

const ROUNDS = 3;
const READY_WITHIN_MS = 60_000;
/** Wait before memory is measured, so that the programs are idle. */
const IDLE_MS = 20_000;

const programs = {
  'npm start': /scripts\/(run\.mjs|stack\/start\.ts)/,
  api: /dist\/api\/main\.js/,
  worker: /dist\/worker\/main\.js/,
};
type Program = keyof typeof programs;
const names = Object.keys(programs) as Program[];

/** In megabytes. `rss` counts shared memory, such as Node.js itself, in every process; `pss` divides it by the processes. */
interface Memory {
  rss: number;
  pss: number;
}

interface Round {
  seconds: number;
  memory: Record<Program, Memory>;
}

/** Measures the duration of `npm start` on an empty data folder, and the memory of each idle program. */
export async function benchStart(): Promise<void> {
  if (process.platform !== 'linux') return print('Start: skipped, because only Linux has /proc.');
  const before = machine();
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push(await measure());
  const row = (name: string, unit: string, values: number[]) => [
    name,
    `${median(values).toFixed(1)} ${unit}`,
    `${Math.max(...values).toFixed(1)} ${unit}`,
  ];
  const memory = (name: string, read: (round: Round) => number) => row(name, 'MB', rounds.map(read));
  const sum = (round: Round, kind: keyof Memory) =>
    names.reduce((total, name) => total + round.memory[name][kind], 0);
  const rows = [
    row(
      'until it is ready',
      's',
      rounds.map(({ seconds }) => seconds),
    ),
    ...names.map((name) => memory(`${name}, RSS`, (round) => round.memory[name].rss)),
    memory('all three, RSS', (round) => sum(round, 'rss')),
    ...names.map((name) => memory(`${name}, PSS`, (round) => round.memory[name].pss)),
    memory('all three, PSS', (round) => sum(round, 'pss')),
  ];
  print(table([`start, ${ROUNDS} rounds`, 'median', 'worst'], rows).trimEnd());
  print(`Before: ${before}; after: ${machine()}`);
}

async function measure(): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-start-'));
  const { PATH, HOME } = process.env;
  const start = execa('node', [inRoot('scripts/run.mjs'), 'start'], {
    env: { PATH, HOME, DATA_DIR: folder, PORT: '0', MODELS_OFF: 'u2netp,coco-ssd,migan,minilm' },
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
    forceKillAfterDelay: false,
  });
  try {
    const startedAt = performance.now();
    await untilReady(start.all);
    const seconds = (performance.now() - startedAt) / 1000;
    await pause(IDLE_MS);
    return { seconds, memory: memoryBelow(start.pid!) };
  } finally {
    start.kill('SIGTERM');
    await start;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  let text = '';
  output.on('data', (chunk: Buffer) => (text += String(chunk)));
  while (!text.includes('Ctrl-C stops all of it')) {
    if (late.aborted) throw new CommandError(`npm start is not ready:\n${text}`);
    await pause(20);
  }
}

/** Sums the memory of a process and its descendants by program. */
function memoryBelow(root: number): Record<Program, Memory> {
  const memory = { 'npm start': { rss: 0, pss: 0 }, api: { rss: 0, pss: 0 }, worker: { rss: 0, pss: 0 } };
  const below = new Set([root]);
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  for (const pid of processes.sort((one, other) => one - other)) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readOf(pid, 'status'))?.[1]);
    if (!below.has(parent) && pid !== root) continue;
    below.add(pid);
    const command = readOf(pid, 'cmdline');
    const name = names.find((one) => programs[one].test(command));
    if (name === undefined) continue;
    const size = (kind: 'Rss' | 'Pss') =>
      Number(new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(readOf(pid, 'smaps_rollup'))?.[1] ?? 0) / 1000;
    memory[name].rss += size('Rss');
    memory[name].pss += size('Pss');
  }
  return memory;
}

/** Reads a file of a process in /proc; empty if the process has ended. */
function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
