import { expect, it } from '@jest/globals';
import { cpuBetween } from './cpu.ts';

it('counts the CPU time of each process since the first reading, also of one that began later', () => {
  const process = (name: string, milliseconds: number) => ({ name, milliseconds });
  const before = new Map([
    [1, process('api', 100)],
    [2, process('PostgreSQL', 5_000)],
    [3, process('PostgreSQL', 200)],
  ]);
  // Process 2 has ended.
  const after = new Map([
    [1, process('api', 130)],
    [3, process('PostgreSQL', 240)],
    [4, process('PostgreSQL', 10)],
  ]);
  expect(cpuBetween(before, after)).toEqual({ api: 30, PostgreSQL: 50 });
});
