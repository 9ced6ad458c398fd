/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { AdminJob, DeletionReceipt, ModeratedCreation, QueueState } from '#libs/contract/admin.js';
import { buildAdminUser } from '../../../../test/web/build-admin-user';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import AdminAuditPage from './audit-page';
import AdminCostsPage from './costs-page';
import AdminJobsPage from './jobs-page';
import AdminLayout from './admin-layout';
import AdminOverviewPage from './overview-page';
import AdminReportsPage from './reports-page';
import AdminUserPage from './user/user-page';
import AdminUsersPage from './users-page';

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

const hidden: ModeratedCreation = {
  id: '22222222-2222-4222-8222-222222222222',
  userId: 'user-2',
  type: 'image',
  published: false,
  isTakenDown: false,
  contents: null,
  state: 'hidden',
  cause: 'operator',
  reason: null,
  appeal: null,
  isAppealOpen: false,
  openReports: 0,
  countedReports: 0,
  reports: [],
  since: '2026-11-01T00:00:00.000Z',
};

beforeEach(() => {
  api.setAccount({ role: 'admin' });
  api.on('GET /api/admin/users', { users: [], nextCursor: null });
  api.on('GET /api/admin/audit', { entries: [] });
  api.on('GET /api/admin/costs', { costs: [] });
  api.on('GET /api/admin/budgets', { month: '2026-11', currency: null, budgets: [] });
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
        <Route path="users" element={<AdminUsersPage />} />
        <Route path="reports" element={<AdminReportsPage />} />
        <Route path="audit" element={<AdminAuditPage />} />
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
    api.on('GET /api/admin/jobs', ({ path }) =>
      path.includes('cursor=more')
        ? { jobs: [{ ...job, id: '33333333-3333-4333-8333-333333333333' }], nextCursor: null }
        : { jobs: [job], nextCursor: 'more' },
    );
    const { user } = renderAdmin('/admin/jobs');
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(requestsTo('/api/admin/jobs')).toHaveLength(2));
    await pass(20_000);
    expect(requestsTo('/api/admin/jobs')).toHaveLength(2);
    expect(screen.getByText('Not refreshed while several pages are shown.')).toBeTruthy();
  });

  it.each([
    ['users', '/admin/users', '/api/admin/users'],
    ['a user', '/admin/users/user-2', '/api/admin/users/user-2'],
    ['costs', '/admin/costs', '/api/admin/costs'],
    ['the audit log', '/admin/audit', '/api/admin/audit'],
  ])('reads %s again and again', async (_name, path, route) => {
    jest.useFakeTimers({ advanceTimers: true });
    renderAdmin(path);
    await waitFor(() => expect(requestsTo(route).length).toBeGreaterThan(0));
    await pass(1_000);
    const before = requestsTo(route).length;
    await pass(10_000);
    expect(requestsTo(route).length).toBeGreaterThan(before);
  });

  it.each([
    ['PDF', 'words=PDF'],
    ['QUEUE_FULL', 'code=QUEUE_FULL'],
    [job.id, `id=${job.id}`],
  ])('finds jobs by %s', async (text, asked) => {
    renderAdmin(`/admin/jobs?text=${text}&from=2026-11-01T10:00:00.000Z&to=nonsense`);
    await screen.findByText('bo@example.com');
    const { path } = requestsTo('/api/admin/jobs')[0]!;
    expect(path).toContain(asked);
    expect(path).toContain(`from=${encodeURIComponent('2026-11-01T10:00:00.000Z')}`);
    expect(path).not.toContain('to=');
    expect(screen.getByLabelText<HTMLInputElement>('Created from').value).toMatch(/^2026-1[01]-\d\dT/);
  });

  it('shows a hidden picture after a reason, and restores it or takes it down', async () => {
    api.on('GET /api/admin/reports', { creations: [hidden], nextCursor: null });
    api.on(`POST /api/admin/creations/${hidden.id}/reveal`, {
      ...{ caption: 'A private fox', image: '/files/fox', thumbnail: null, text: null },
    });
    api.on(`POST /api/admin/creations/${hidden.id}/decide`, {});
    const { user } = renderAdmin('/admin/reports?show=hidden');
    await user.click(await screen.findByRole('button', { name: 'Show' }));
    await user.type(screen.getByLabelText('Reason'), 'An appeal{Enter}');
    expect(await screen.findByRole('img', { name: 'A private fox' })).toBeTruthy();
    for (const name of ['Restore', 'Take down']) {
      await user.click(screen.getByRole('button', { name }));
      await user.type(screen.getByLabelText('Reason'), `${name}{Enter}`);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
    expect(requestsTo('/api/admin/reports')[0]!.path).toContain('show=hidden');
    expect(requestsTo('/api/admin/creations').map(({ body }) => body)).toEqual([
      { reason: 'An appeal' },
      { decision: 'restore', reason: 'Restore' },
      { decision: 'takedown', reason: 'Take down' },
    ]);
  });

  it('says how many slots standard jobs keep from premium jobs', async () => {
    const plan = { waiting: 1, running: 3, oldestWaitSeconds: null, oldestJobId: null, endedPerMinute: 0 };
    const queue: QueueState = {
      ...{ queue: 'text', plans: { premium: plan, standard: plan }, slots: 8, reservedSlots: 2 },
      ...{ failedLastHour: 0, paused: false, reason: null },
    };
    api.on('GET /api/admin/overview', { queues: [queue], programs: [], tasks: [] });
    renderAdmin();
    expect(await screen.findByText('2 of 8: premium jobs take at most 6')).toBeTruthy();
  });

  it('leaves a hidden picture hidden after the answer of its owner', async () => {
    const appealed = { ...hidden, appeal: 'It is a drawing.', isAppealOpen: true };
    api.on('GET /api/admin/reports', { creations: [appealed], nextCursor: null });
    api.on(`POST /api/admin/creations/${hidden.id}/decide`, {});
    const { user } = renderAdmin('/admin/reports');
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('button', { name: 'Hide' })).toBeNull();
    await user.type(screen.getByLabelText('Reason'), 'It is no drawing{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requestsTo('/api/admin/creations').map(({ body }) => body)).toEqual([
      { decision: 'dismiss', reason: 'It is no drawing' },
    ]);
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

  it('shows the budgets of this month', async () => {
    api.on('GET /api/admin/costs', { costs: [] });
    const use = { userId: null, email: null, reserved: 0 };
    const budgets = [
      { ...use, budget: 'all' as const, limit: 100, spent: 85, reserved: 2 },
      { ...use, budget: 'user' as const, userId: 'ada', email: 'ada@example.com', limit: 1, spent: 0.5 },
    ];
    api.on('GET /api/admin/budgets', { month: '2026-11', currency: 'USD', budgets });
    renderAdmin('/admin/costs');
    const meter = await screen.findByRole('meter', { name: 'Budget: All jobs' });
    expect(['aria-valuenow', 'aria-valuemax'].map((name) => meter.getAttribute(name))).toEqual(['85', '100']);
    expect(screen.getByText(/^\$85\.00 of \$100\.00, \$2\.00 reserved$/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'ada@example.com' })).toBeTruthy();
  });

  it('shows no costs of another period while those of a period load', async () => {
    api.on('GET /api/admin/costs', { costs: [] });
    api.on('GET /api/admin/budgets', { month: '2026-11', currency: null, budgets: [] });
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
