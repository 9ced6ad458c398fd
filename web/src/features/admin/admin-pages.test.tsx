/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { AdminJob, DeletionReceipt } from '#libs/contract/admin.js';
import { buildAdminUser } from '../../../../test/web/build-admin-user';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import AdminCostsPage from './costs-page';
import AdminJobsPage from './jobs-page';
import AdminLayout from './admin-layout';
import AdminOverviewPage from './overview-page';
import AdminUserPage from './user-page';

const api = stubApi();
const job: AdminJob = {
  id: '11111111-1111-4111-8111-111111111111',
  tool: 'generate-article',
  queue: 'text',
  status: 'queued',
  userId: 'user-2',
  email: 'bo@example.com',
  priority: 'standard',
  attempts: 0,
  credits: 1,
  error: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  waitedSeconds: 12,
  ranSeconds: null,
};
const details = buildAdminUser({
  profile: { id: 'user-2', fullName: 'Bo Lind', email: 'bo@example.com', imageUrl: null },
});
const receipt: DeletionReceipt = {
  id: 'receipt-1',
  deletedAt: '2026-11-02T00:00:00.000Z',
  operator: 'ada@example.com',
  rows: { users: 1 },
  files: { count: 0, bytes: 0 },
  unlinked: {},
  left: {},
  sha256: 'abc',
};

beforeEach(() => {
  api.setAccount({ role: 'admin' });
  api.on('GET /api/admin/overview', { queues: [], programs: [], tasks: [] });
  api.on('GET /api/admin/jobs', { jobs: [job], nextCursor: 'more' });
  api.on('GET /api/admin/users/user-2', { user: details });
});
afterEach(() => void jest.useRealTimers());

const renderAdmin = (path = '/admin') =>
  renderInApp(
    <Routes>
      <Route path="/admin" element={<AdminLayout />}>
        <Route index element={<AdminOverviewPage />} />
        <Route path="jobs" element={<AdminJobsPage />} />
        <Route path="users/:id" element={<AdminUserPage />} />
        <Route path="costs" element={<AdminCostsPage />} />
      </Route>
    </Routes>,
    { path },
  );
const requestsTo = (path: string) => api.requests.filter((request) => request.path.startsWith(path));
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

describe('the admin page', () => {
  it('asks the server for nothing on behalf of other users', async () => {
    api.setAccount({ role: 'person' });
    renderAdmin();
    expect(await screen.findByText('For operators')).toBeTruthy();
    expect(requestsTo('/api/admin')).toEqual([]);
  });

  it('reads the overview again and again only where it is shown', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user } = renderAdmin();
    await screen.findByText('Queues');
    const before = requestsTo('/api/admin/overview').length;
    await pass(10_000);
    expect(requestsTo('/api/admin/overview').length).toBeGreaterThan(before);
    await user.click(screen.getByRole('link', { name: 'Jobs' }));
    await screen.findByText('bo@example.com');
    const read = requestsTo('/api/admin/overview').length;
    await pass(10_000);
    expect(requestsTo('/api/admin/overview')).toHaveLength(read);
  });

  it('says since when it is not refreshed, and stops the live updates', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user } = renderAdmin();
    await screen.findByText('Queues');
    api.on('GET /api/admin/overview', failure('FORBIDDEN', 'Only for operators.'));
    await pass(3_500);
    expect(await screen.findByText(/^Not refreshed since \d+:\d\d [AP]M$/)).toBeTruthy();
    const read = requestsTo('/api/admin/overview').length;
    await pass(10_000);
    expect(requestsTo('/api/admin/overview')).toHaveLength(read);
    api.on('GET /api/admin/overview', { queues: [], programs: [], tasks: [] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/^Not refreshed/)).toBeNull());
  });

  it('reads a list of several pages only once', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user } = renderAdmin('/admin/jobs');
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(requestsTo('/api/admin/jobs')).toHaveLength(2));
    await pass(20_000);
    expect(requestsTo('/api/admin/jobs')).toHaveLength(2);
    expect(screen.getByText('Not refreshed while several pages are shown.')).toBeTruthy();
  });

  it('sends credits again with the same key after a lost answer', async () => {
    let answers = 0;
    api.on('POST /api/admin/users/user-2/credits', () =>
      (answers += 1) === 1 ? failure('INTERNAL', 'Lost.') : { user: details },
    );
    const { user } = renderAdmin('/admin/users/user-2');
    await user.click(await screen.findByRole('button', { name: /credits/i }));
    await user.type(await screen.findByLabelText('Credits'), '10');
    await user.type(screen.getByLabelText('Reason'), 'An outage{Enter}');
    await screen.findByText('Lost.');
    await user.type(screen.getByLabelText('Reason'), '{Enter}');
    await screen.findByText('Done');
    const keys = api.requests
      .filter(({ path }) => path.endsWith('/credits'))
      .map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  });

  it('acts on the jobs that the order shows', async () => {
    api.on('GET /api/admin/jobs/count', { count: 2 });
    api.on('POST /api/admin/jobs/bulk', { changed: 2, refused: 0 });
    const { user } = renderAdmin('/admin/jobs?order=longest-wait&queue=text');
    await user.click(await screen.findByRole('button', { name: 'Cancel all of these…' }));
    await user.type(await screen.findByLabelText('Reason'), 'Overload{Enter}');
    await screen.findByText('2 jobs changed');
    expect(requestsTo('/api/admin/jobs/count')[0]?.path).toContain('status=queued');
    expect(requestsTo('/api/admin/jobs/bulk')[0]?.body).toEqual({
      action: 'cancel',
      count: 2,
      filter: { queue: 'text', status: 'queued' },
      reason: 'Overload',
    });
  });

  it('keeps the receipt of a deletion whose dialog was closed', async () => {
    const answer = Promise.withResolvers<Response>();
    api.on('DELETE /api/admin/users/user-2', () => answer.promise);
    const { user } = renderAdmin('/admin/users/user-2');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.type(await screen.findByLabelText('Repeat bo@example.com'), 'bo@example.com');
    await user.type(screen.getByLabelText('Reason'), 'Asked for it{Enter}');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    answer.resolve(Response.json({ success: true, receipt }));
    expect(await screen.findByText('receipt-1')).toBeTruthy();
  });

  it('shows no costs of another period while those of a period load', async () => {
    api.on('GET /api/admin/costs', { costs: [] });
    const { user } = renderAdmin('/admin/costs?period=toString');
    expect(await screen.findByText(/was not called/)).toBeTruthy();
    api.on('GET /api/admin/costs', () => new Promise<Response>(() => undefined));
    // Changes of parameters read the browser's address.
    window.history.replaceState(null, '', '/admin/costs');
    await user.click(screen.getByLabelText('Today'));
    expect(await screen.findByText('Loading the costs')).toBeTruthy();
    expect(screen.queryByText(/was not called/)).toBeNull();
  });
});
