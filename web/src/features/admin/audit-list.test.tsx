/** @jest-environment jsdom */
import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import type { AuditEntry } from '#libs/contract/admin.js';
import { AuditList } from './audit-list';

const entry: AuditEntry = {
  id: 1,
  at: '2026-11-28T10:00:00.000Z',
  operator: 'Olga',
  action: 'user.limits',
  target: 'ada',
  reason: 'A trial',
  details: {},
};
const show = (...details: AuditEntry['details'][]) => {
  render(<AuditList entries={details.map((one, id) => ({ ...entry, id, details: one }))} />);
  return screen.getAllByRole('listitem').map((row) => row.textContent);
};

it('says in words what an act changed', () => {
  const rows = show({
    before: null,
    after: { storageMb: 500, until: '2026-12-24' },
    isPublished: false,
    ids: ['a', 'b'],
  });
  expect(rows[0]).toContain('before:none');
  expect(rows[0]).toContain('after:storage mb 500, until 2026-12-24');
  expect(rows[0]).toContain('is published:no');
  expect(rows[0]).toContain('ids:a, b');
});

it('says that an act was refused or changed nothing', () => {
  const [refused, unchanged, done] = show({ refused: 'NOT_FOUND' }, { changed: false }, { changed: true });
  expect(refused).toContain('user.limits ada (refused: NOT_FOUND)');
  expect(unchanged).toContain('user.limits ada (no change)');
  expect(done).not.toContain('(');
});

it('says how many jobs an act changed, and which it chose', () => {
  const filter = { code: 'PROVIDER_FAILED', endedFrom: '2026-11-27T00:00:00Z' };
  const [all, some, none, broken] = show(
    { filter, count: 3, changed: 3, refused: 0 },
    { filter, count: 3, changed: 2, refused: 1 },
    { filter: {}, count: 0, changed: 0, refused: 0 },
    { filter, count: 3, changed: 1, refused: 0, failed: true },
  );
  expect(all).not.toContain('(');
  expect(all).toContain('filter:code PROVIDER_FAILED, ended from 2026-11-27T00:00:00Z');
  expect(some).toContain('(2 of 3 changed)');
  expect(some).toContain('count:3changed:2refused:1');
  expect(none).toContain('(no change)');
  expect(none).toContain('filter:none');
  expect(broken).toContain('(failed, 1 of 3 changed)');
  expect(broken).not.toContain('failed:');
});
