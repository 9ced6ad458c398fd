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
