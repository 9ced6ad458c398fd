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
  days: [{ day: '2026-11-30', tool: 'generate-article', jobs: 1, succeeded: 1, credits: 1 }],
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
  reason: 'The job failed.',
  key: null,
  at: '2026-11-30T23:30:00.000Z',
};

it('shows the days of a month, what is stored, and the receipts', async () => {
  api.on('GET /api/user/usage', { usage });
  api.on('GET /api/user/receipts', { receipts: [receipt], nextCursor: null });
  renderInApp(<UsagePage />);
  expect(await screen.findByText('November 30')).toBeTruthy();
  expect(screen.getByText('1 job, 1 credit')).toBeTruthy();
  expect(screen.getByText(/^1 file, /)).toBeTruthy();
  expect(
    await screen.findByText(/price 2 credits, 2 charged, 1 given back, failed after 3 attempts/),
  ).toBeTruthy();
});
