import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks per second, the unit of CPU times in /proc. */
const TICKS = 100;

/** CPU milliseconds so far, by process id, with the name of the program or service. */
export type CpuTimes = Map<number, { name: string; milliseconds: number }>;

/**
 * Reads the CPU times of programs by process id, and of PostgreSQL and Redis. Zero without /proc.
 * @param database counts only PostgreSQL's processes for this database, since other servers may run on this machine
 */
export function readCpuTimes(programs: Record<string, number>, database = ''): CpuTimes {
  const times: CpuTimes = new Map();
  for (const [name, pid] of Object.entries(programs))
    times.set(pid, { name, milliseconds: cpuOf(pid).milliseconds });
  for (const pid of processIds()) {
    const { command, milliseconds } = cpuOf(pid);
    const name = SERVICES[command];
    if (name === 'PostgreSQL' && !titleOf(pid).includes(` ${database}`)) continue;
    if (name) times.set(pid, { name, milliseconds });
  }
  return times;
}

/** CPU milliseconds between two readings, by name. Those of a process that ended in between do not count. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): Record<string, number> {
  const spent: Record<string, number> = {};
  for (const [pid, { name, milliseconds }] of after)
    spent[name] = (spent[name] ?? 0) + milliseconds - (before.get(pid)?.milliseconds ?? 0);
  return spent;
}

/** CPU milliseconds per request between two readings, such as "api 1.30, PostgreSQL 0.90". */
export const cpuPerRequest = (before: CpuTimes, after: CpuTimes, requests: number): string =>
  Object.entries(cpuBetween(before, after))
    .map(([name, milliseconds]) => `${name} ${(milliseconds / requests).toFixed(2)}`)
    .join(', ');

const SERVICES: Record<string, string> = { postgres: 'PostgreSQL', 'redis-server': 'Redis' };

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** PostgreSQL's title of a process, such as "postgres: user database 127.0.0.1(4000) idle". */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function cpuOf(pid: number): { command: string; milliseconds: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return {
      command: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      milliseconds: (ticks / TICKS) * 1_000,
    };
  } catch {
    return { command: '', milliseconds: 0 };
  }
}
