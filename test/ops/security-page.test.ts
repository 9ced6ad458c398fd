import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** The requirements of ASVS 5.0.0 of level 1 and 2: how many each section has, by chapter. They come first in each. */
const requirements: Record<number, Record<number, number>> = {
  1: { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  2: { 1: 3, 2: 3, 3: 4, 4: 1 },
  3: { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  4: { 1: 3, 2: 1, 3: 2, 4: 4 },
  5: { 1: 1, 2: 3, 3: 2, 4: 3 },
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  11: { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  12: { 1: 3, 2: 2, 3: 4 },
  13: { 1: 1, 2: 5, 3: 2, 4: 5 },
  14: { 1: 2, 2: 4, 3: 3 },
  15: { 1: 3, 2: 3, 3: 7 },
  16: { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
  17: { 1: 1, 2: 4, 3: 2 },
};
const numbers = Object.entries(requirements).flatMap(([chapter, sections]) =>
  Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${chapter}.${section}.${index + 1}`),
  ),
);

const page = readFileSync('docs/security.md', 'utf8');
const rows = Array.from(
  page.matchAll(/^\| (\d+\.\d+\.\d[^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm),
  ([, ...cells]) => cells.map((cell) => cell.trim()),
);

it('has every requirement of ASVS up to level 2 once, with a test or a reason', () => {
  const judged = rows.flatMap(([numbersOfRow]) => numbersOfRow!.split(', '));
  expect(judged).toHaveLength(new Set(judged).size);
  expect(judged.toSorted()).toEqual(numbers.toSorted());
  for (const [row, , state, evidence] of rows) {
    expect([row, state]).toEqual([row, expect.stringMatching(/^(met|partly|not met|n\/a|operator)$/)]);
    expect([row, evidence]).toEqual([row, expect.stringMatching(/\S/)]);
  }
});

it('names tests that exist', () => {
  const tests = rows.flatMap(([, , , evidence]) =>
    Array.from(evidence!.matchAll(/`([a-z]+\/[^`]+\.test\.tsx?)`/g), ([, path]) => path!),
  );
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
});
