import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks per second, the unit of CPU times in /proc. */
const TICKS = 100;

/** CPU milliseconds so far, by the name of the program or service. */
export type CpuTimes = Record<string, number>;

/**
 * Reads the CPU times of programs by process id, and of PostgreSQL and Redis. Zero without /proc.
 * @param database counts only PostgreSQL's processes for this database, since other servers may run on this machine
 */
export function readCpuTimes(programs: Record<string, number>, database = ''): CpuTimes {
  const times: CpuTimes = {};
  for (const [name, pid] of Object.entries(programs)) times[name] = cpuOf(String(pid)).milliseconds;
  for (const pid of processIds()) {
    const { command, milliseconds } = cpuOf(pid);
    const service = SERVICES[command];
    if (service === 'PostgreSQL' && !titleOf(pid).includes(` ${database}`)) continue;
    if (service) times[service] = (times[service] ?? 0) + milliseconds;
  }
  return times;
}

/** CPU milliseconds per request between two readings, such as "api 1.30, PostgreSQL 0.90". */
export const cpuPerRequest = (before: CpuTimes, after: CpuTimes, requests: number): string =>
  Object.entries(after)
    .map(([name, milliseconds]) => `${name} ${((milliseconds - (before[name] ?? 0)) / requests).toFixed(2)}`)
    .join(', ');

const SERVICES: Record<string, string> = { postgres: 'PostgreSQL', 'redis-server': 'Redis' };

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** PostgreSQL's title of a process, such as "postgres: user database 127.0.0.1(4000) idle". */
function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function cpuOf(pid: string): { command: string; milliseconds: number } {
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
