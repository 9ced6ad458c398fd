/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Receipt, Usage } from '#libs/contract/usage.js';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../test/web/stub-api';
import UsagePage from './page';

const api = stubApi();
const usage: Usage = {
  month: '2026-11',
  credits: { granted: 30, charged: 1, refunded: 0, adjusted: 0, left: 29 },
  entries: [
    { kind: 'grant', amount: 30, note: 'monthly', at: '2026-11-01T00:00:00.000Z' },
    { kind: 'adjustment', amount: -2, note: 'Charged back', at: '2026-11-02T00:00:00.000Z' },
  ],
  planChanges: [{ plan: 'free', source: 'operator', at: '2026-11-03T00:00:00.000Z' }],
  days: [{ day: '2026-11-30', tool: 'generate-article', jobs: 1, succeeded: 1, credits: 1 }],
  keys: [{ key: 'script', jobs: 1, credits: 1 }],
  storage: [{ kind: 'text', files: 1, bytes: 2_000 }],
};
const receipt: Receipt = {
  jobId: '11111111-1111-4111-8111-111111111111',
  tool: 'generate-article',
  title: 'Boats',
  status: 'failed',
  attempts: 3,
  quoted: 2,
  charged: 2,
  refunded: 1,
  included: false,
  reason: 'The job failed.',
  key: null,
  at: '2026-11-30T23:30:00.000Z',
};

const ofPremium: Receipt = {
  ...receipt,
  jobId: '22222222-2222-4222-8222-222222222222',
  ...{ charged: 0, refunded: 0, included: true, reason: null },
};

it('shows the days of a month, what is stored, and the receipts', async () => {
  api.on('GET /api/user/usage', { usage });
  api.on('GET /api/user/receipts', { receipts: [receipt, ofPremium], nextCursor: null });
  renderInApp(<UsagePage />);
  expect(await screen.findByText('November 30')).toBeTruthy();
  expect(screen.getAllByText('1 job, 1 credit')).toHaveLength(2);
  expect(screen.getByText(/^1 item, /)).toBeTruthy();
  expect(screen.getByText('Charged back')).toBeTruthy();
  expect(screen.getByText(/Plan changed to free/)).toBeTruthy();
  expect(screen.getByText('script')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download all your data' })).toBeTruthy();
  expect(
    await screen.findByText(/price 2 credits, 2 charged, 1 given back, failed after 3 attempts/),
  ).toBeTruthy();
  expect(screen.getByText(/price 2 credits, included in Premium/)).toBeTruthy();
});
