import { expect, it } from '@jest/globals';
import { readReport } from './read-report';
import { scoreIfShown } from './score-if-shown';

const skill = (weight: number, credit: number) => ({
  ...{ match: credit > 0, feedback: '', importance: 'required', weight, credit },
  ...{ job: { quote: 'Asked for.' }, resume: null },
});
const breakdown = { Go: skill(3, 1), Ansible: skill(3, 0), Kafka: skill(1, 0), SQL: skill(2, 0.5) };

it('is the score that the same formula gives with the skills', () => {
  const report = readReport({ score: 44, breakdown })!;
  const find = (...names: string[]) => new Set(report.skills.filter(({ name }) => names.includes(name)));
  expect(scoreIfShown(report, new Set())).toBe(44);
  expect(scoreIfShown(report, find('Ansible'))).toBe(78);
  expect(scoreIfShown(report, find('Ansible', 'Kafka'))).toBe(89);
});

it('is unknown for results of older versions', () => {
  const older = readReport({ score: 50, breakdown: { Go: true, Kafka: false } })!;
  expect(scoreIfShown(older, new Set(older.skills))).toBeNull();
  const other = readReport({ score: 90, breakdown })!;
  expect(scoreIfShown(other, new Set(other.skills))).toBeNull();
});
