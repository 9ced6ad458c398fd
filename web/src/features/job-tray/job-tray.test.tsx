/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildJob, buildProgress, ended } from '../../../../test/web/build-job';
import { renderInApp } from '../../../../test/web/render-in-app';
import { stubApi } from '../../../../test/web/stub-api';
import { JobTray } from './job-tray';

const api = stubApi();
const id = (digit: string) => buildJob().id.replaceAll('1', digit);

async function openTray(jobs: ReturnType<typeof buildJob>[]) {
  const view = renderInApp(<JobTray />, { jobs });
  await view.user.click(screen.getByRole('button', { name: /Your work/ }));
  const row = (title: string) => {
    const item = screen.getByTitle(title).closest('li');
    if (item === null) throw new Error(`There is no row of ${title}.`);
    return within(item);
  };
  return { ...view, row };
}

describe('JobTray', () => {
  // Each test needs jobs with other IDs, since dismissed jobs stay dismissed in local storage.
  beforeEach(() => api.on('GET /api/jobs', { jobs: [], nextCursor: null }));

  it('is hidden without jobs', () => {
    renderInApp(<JobTray />);
    expect(screen.queryByRole('region', { name: 'Your work' })).toBeNull();
  });

  it('is a badge once all jobs have ended', async () => {
    const isBadge = () => screen.getByRole('region', { name: 'Your work' }).dataset.badge;
    const running = renderInApp(<JobTray />, { jobs: [buildJob({ id: id('a') })] });
    expect(isBadge()).toBe('false');
    running.unmount();
    const { user } = renderInApp(<JobTray />, {
      jobs: [buildJob({ id: id('b'), ...ended('succeeded'), finishedAt: new Date().toISOString() })],
    });
    expect(isBadge()).toBe('true');
    await user.click(screen.getByRole('button', { name: /Your work/ }));
    expect(isBadge()).toBe('false');
  });

  it('closes by Escape and returns the focus', async () => {
    const { user } = await openTray([buildJob({ id: id('2') })]);
    await user.tab({ shift: true });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('list')).toBeNull();
    expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false');
  });

  it('shows the progress of a job, and opens its page', async () => {
    const { user, row, address } = await openTray([buildJob({ id: id('3'), title: 'Running' })]);
    expect(row('Running').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    expect(row('Running').getByText(/Writing/).textContent).toBe('Write Article · Writing');
    await user.click(row('Running').getByRole('button', { name: 'Open: Running' }));
    expect(address()).toBe(`/ai/generate-article?job=${id('3')}`);
  });

  it('shows why a job waits, and the gain from priority', async () => {
    const waiting = { reason: 'ahead' as const, ahead: { premium: 2, own: 1, others: 0 } };
    const { row } = await openTray([
      buildJob({
        ...{ id: id('1'), title: 'Waiting', status: 'queued', position: 4, etaSeconds: 100, waiting },
        progress: buildProgress({ percent: 0, kind: 'estimated', measure: null, elapsedSeconds: null }),
      }),
      buildJob({ id: id('0'), title: 'Premium', wentAheadOf: 12 }),
    ]);
    expect(row('Waiting').getByText(/4th in the queue, about 2 min/)).toBeTruthy();
    expect(row('Waiting').getByText('2 premium jobs and 1 of yours ahead of it')).toBeTruthy();
    expect(row('Waiting').getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
    expect(row('Premium').getByText(/Premium: went ahead of 12/)).toBeTruthy();
  });

  it('cancels a job', async () => {
    const job = buildJob({ id: id('4'), title: 'Running' });
    api.on('DELETE /api/jobs/:id', () => ({
      job: buildJob({ ...job, ...ended('cancelled'), revision: job.revision + 1 }),
    }));
    const { user, row } = await openTray([job]);
    await user.click(row('Running').getByRole('button', { name: 'Cancel: Running' }));
    await waitFor(() => expect(row('Running').getByText(/Cancelled/)).toBeTruthy());
    expect(row('Running').queryByRole('progressbar')).toBeNull();
  });

  it('replaces a failed job by its retry', async () => {
    const failed = buildJob({
      id: id('5'),
      title: 'Failed',
      ...ended('failed'),
      error: { code: 'PROVIDER_FAILED', message: 'The service is down.' },
    });
    const retried = buildJob({ id: id('6'), title: 'Retried' });
    api.on('POST /api/jobs/:id/retry', () => Response.json({ success: true, job: retried }, { status: 202 }));
    const { user, row } = await openTray([failed]);
    expect(row('Failed').getByText('The service is down. You were not charged.')).toBeTruthy();
    await user.click(row('Failed').getByRole('button', { name: 'Retry: Failed' }));
    await waitFor(() => expect(screen.queryByTitle('Failed')).toBeNull());
    expect(row('Retried').getByRole('progressbar')).toBeTruthy();
  });

  it('dismisses a job and moves the focus to the next row', async () => {
    const jobs = [
      buildJob({ id: id('7'), title: 'First', ...ended('succeeded') }),
      buildJob({ id: id('8'), title: 'Second', ...ended('succeeded'), createdAt: new Date(0).toISOString() }),
    ];
    const { user, row } = await openTray(jobs);
    await user.click(row('First').getByRole('button', { name: 'Dismiss: First' }));
    expect(screen.queryByTitle('First')).toBeNull();
    expect(document.activeElement).toBe(row('Second').getByRole('button', { name: 'Dismiss: Second' }));
  });

  it('lets screen readers announce how a job ended', () => {
    const job = buildJob({ id: id('9'), title: 'Running' });
    const { putJob } = renderInApp(<JobTray />, { jobs: [job] });
    putJob({ ...job, ...ended('succeeded'), revision: job.revision + 1 });
    expect(screen.getByText('Done: Running').getAttribute('role')).toBe('status');
  });
});
