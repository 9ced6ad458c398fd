/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Flow } from '#libs/contract/flows.js';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { FlowsPage } from './run-list-pages';

const api = stubApi();
const flow = (n: number): Flow => ({
  id: `${n}1111111-1111-4111-8111-111111111111`,
  flow: 'article',
  title: `Harbour ${n}`,
  status: 'ended',
  steps: [],
  awaitsTitleFrom: null,
  credits: 1,
  revision: 1,
  createdAt: `2026-01-0${n}T00:00:00.000Z`,
});

describe('FlowsPage', () => {
  it('lists all runs, page by page', async () => {
    api.on('GET /api/flows', ({ path }) =>
      path.includes('cursor=next')
        ? { flows: [flow(1)], nextCursor: null }
        : { flows: [flow(3), flow(2)], nextCursor: 'next' },
    );
    const { user } = renderInApp(<FlowsPage />);
    const link = await screen.findByRole('link', { name: /Harbour 3/ });
    expect(link.getAttribute('href')).toBe(`/ai/flows/${flow(3).id}`);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByRole('link', { name: /Harbour 1/ });
    expect(screen.getAllByRole('link')).toHaveLength(3);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('explains where runs start if there are none', async () => {
    api.on('GET /api/flows', { flows: [], nextCursor: null });
    renderInApp(<FlowsPage />);
    await screen.findByRole('link', { name: 'Write Article' });
  });

  it('can be loaded again after an error', async () => {
    api.on('GET /api/flows', failure('INTERNAL', 'The server is down.'));
    const { user } = renderInApp(<FlowsPage />, { retry: true });
    await screen.findByRole('alert');
    api.on('GET /api/flows', { flows: [flow(1)], nextCursor: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: /Harbour 1/ });
  });
});
