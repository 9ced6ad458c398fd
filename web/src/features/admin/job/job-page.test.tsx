/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { JobStory } from '#libs/contract/admin.js';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../test/web/stub-api';
import AdminJobPage from './job-page';

const api = stubApi();

const failed: JobStory = {
  ...{
    id: '11111111-1111-4111-8111-111111111111',
    tool: 'generate-article',
    queue: 'text',
    status: 'failed',
  },
  ...{ userId: 'ada', email: 'ada@example.com', priority: 'standard', attempts: 1, credits: 1 },
  error: { code: 'INTERNAL', message: 'It failed.' },
  ...{ createdAt: '2026-11-01T00:00:00.000Z', startedAt: null, finishedAt: null },
  ...{ waitedSeconds: 1, ranSeconds: 1, attemptLog: [], failures: 1, lostAttempts: 0 },
  progress: { percent: 0, stage: '', message: '' },
  ...{ engine: null, ledger: [], calls: [], requestId: null, traceId: null, traceUrl: null },
  ...{ batchId: null, flowId: null, retryOf: null, retriedBy: [], hasInput: true, audit: [] },
};

const renderPage = (job: JobStory) => {
  api.on(`GET /api/admin/jobs/${job.id}`, { job });
  renderInApp(
    <Routes>
      <Route path="/admin/jobs/:id" element={<AdminJobPage />} />
    </Routes>,
    { path: `/admin/jobs/${job.id}` },
  );
};

it('says why credits came back', async () => {
  const refund = { kind: 'refund', amount: 1, month: '2026-11-01', apiKeyId: null, at: failed.createdAt };
  renderPage({ ...failed, ledger: [{ ...refund, note: 'An operator cancelled it.' }] });
  expect(await screen.findByText(/An operator cancelled it\./)).not.toBeNull();
});

it.each([true, false])('offers retries, or says why not: the input is stored: %s', async (hasInput) => {
  renderPage({ ...failed, hasInput });
  for (const name of ['Retry', 'Retry with changes'])
    expect(await screen.findByRole<HTMLButtonElement>('button', { name })).toMatchObject({
      disabled: !hasInput,
    });
  expect(screen.queryByText(/input was deleted/) === null).toBe(hasInput);
});
