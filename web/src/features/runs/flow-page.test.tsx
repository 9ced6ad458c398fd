/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { Flow, FlowStep } from '#libs/contract/flows.js';
import { buildCreation } from '../../../../test/web/build-creation';
import { buildJob } from '../../../../test/web/build-job';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import FlowPage from './flow-page';

const ID = '11111111-1111-4111-8111-111111111111';
const JOB = '22222222-2222-4222-8222-222222222222';

const step = (n: number, change: Partial<FlowStep>): FlowStep => ({
  n,
  tool: 'generate-article',
  needs: null,
  state: 'waiting',
  jobId: null,
  creationId: null,
  credits: 1,
  note: null,
  error: null,
  ...change,
});
const flow: Flow = {
  id: ID,
  flow: 'article',
  title: 'Harbours',
  status: 'stopped',
  steps: [
    step(1, {
      state: 'failed',
      jobId: JOB,
      credits: 0,
      error: { code: 'PROVIDER_FAILED', message: 'The service did not answer.' },
    }),
    step(2, { tool: 'humanize-text', needs: 1 }),
  ],
  awaitsTitleFrom: null,
  credits: 1,
  revision: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const api = stubApi();

const renderPage = (job: Parameters<typeof buildJob>[0] = {}) =>
  renderInApp(
    <Routes>
      <Route path="/ai/flows/:id" element={<FlowPage />} />
    </Routes>,
    {
      path: `/ai/flows/${ID}`,
      retry: true,
      jobs: [buildJob({ id: JOB, title: 'Harbours', status: 'failed', flowId: ID, result: null, ...job })],
    },
  );

describe('FlowPage', () => {
  it('says that it could not be loaded while it retries', async () => {
    api.on('GET /api/flows/:id', failure('INTERNAL', 'The server is down.'));
    const { user } = renderPage();
    expect((await screen.findByRole('alert')).textContent).toContain('The server is down.');
    api.on('GET /api/flows/:id', { flow });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: 'Harbours' });
  });

  it('lets the user choose the title for which it waits, or write another', async () => {
    const titles = ['**Salt** marshes at dawn', 'What a marsh is for'];
    const waiting: Flow = {
      ...flow,
      status: 'open',
      awaitsTitleFrom: 1,
      steps: [
        step(1, { tool: 'generate-blog-title', state: 'succeeded', jobId: JOB, creationId: ID }),
        step(2, { needs: 1 }),
      ],
    };
    api.on('GET /api/flows/:id', { flow: waiting });
    api.on('GET /api/user/creations/:id', failure('NOT_FOUND', 'Gone.'));
    const { user } = renderPage({ status: 'succeeded', result: { titles }, tool: 'generate-blog-title' });
    await screen.findByText('The run waits for your title');
    expect(screen.getByText('Starts when you have chosen the title')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'What a marsh is for' }));
    const own = screen.getByRole('textbox', { name: 'Title' });
    await user.type(own, ', and why');
    api.on('PUT /api/flows/:id/title', { flow: { ...waiting, awaitsTitleFrom: null, revision: 9 } });
    await user.click(screen.getByRole('button', { name: 'Write the article' }));
    await waitFor(() => expect(screen.queryByText('The run waits for your title')).toBeNull());
    const chosen = api.requests.find(({ method }) => method === 'PUT');
    expect(chosen?.body).toEqual({ title: 'What a marsh is for, and why' });
  });

  it('retries a failed step, and shows which steps wait for it', async () => {
    api.on('GET /api/flows/:id', { flow });
    const { user } = renderPage();
    await screen.findByText('The run waits for you');
    expect(screen.getByText('The service did not answer. You were not charged.')).toBeTruthy();
    expect(screen.getByText('Starts after Write Article')).toBeTruthy();
    api.on('POST /api/jobs/:id/retry', () =>
      Response.json({ success: true, job: buildJob({ id: ID, flowId: ID }) }, { status: 202 }),
    );
    await user.click(screen.getByRole('button', { name: 'Try again: Write Article' }));
    await waitFor(() =>
      expect(api.requests.some(({ path }) => path === `/api/jobs/${JOB}/retry`)).toBe(true),
    );
  });

  it('offers an article for each of the titles', async () => {
    const titles = step(1, { tool: 'generate-blog-title', state: 'succeeded', jobId: JOB, creationId: ID });
    api.on('GET /api/flows/:id', { flow: { ...flow, steps: [titles, step(2, { needs: 1 })] } });
    api.on('GET /api/user/creations/:id', {
      creation: buildCreation({ id: ID, type: 'blog-title', content: '1. Tides\n2. Ferries\n' }),
      sources: [],
    });
    const { user } = renderPage();
    await user.click(await screen.findByRole('button', { name: 'Write the article' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Tides', 'Ferries']);
  });

  it('asks before it cancels the rest', async () => {
    api.on('GET /api/flows/:id', { flow });
    const { user } = renderPage();
    const cancel = await screen.findByRole('button', { name: 'Cancel the rest' });
    await user.click(cancel);
    await user.click(screen.getByRole('button', { name: 'Keep going' }));
    expect(document.activeElement).toBe(cancel);
    api.on('DELETE /api/flows/:id', {
      flow: {
        ...flow,
        status: 'cancelled',
        revision: 4,
        steps: flow.steps.map((one) => (one.n === 1 ? one : { ...one, state: 'left-out', credits: 0 })),
      },
    });
    await user.click(cancel);
    await user.click(screen.getByRole('button', { name: 'Cancel steps' }));
    await screen.findByText('Cancelled, 0 of 2 steps done, 1 failed, 1 left out');
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
  });
});
