/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import type { Job } from '#libs/contract/jobs.js';
import { buildJob, ended } from '../../../../../test/web/build-job';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { config, failure, stubApi } from '../../../../../test/web/stub-api';
import { SubmitSection } from './submit-section';
import { useSubmission } from './use-submission';

const api = stubApi();
const SUBMIT = 'POST /api/ai/generate-article';

function Form({ onSubmitted = () => undefined }: { onSubmitted?: (job: Job) => void }) {
  const submission = useSubmission('generate-article', {
    onSubmitted,
    onFieldError: { prompt: () => undefined },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submission.send({ input: { prompt: 'A topic', length: 800 } });
      }}
    >
      <SubmitSection submission={submission} disabled={false}>
        Generate
      </SubmitSection>
    </form>
  );
}

const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Generate' });
const submissions = () => api.requests.filter(({ method }) => method === 'POST');
const keys = () => submissions().map(({ headers }) => headers.get('Idempotency-Key'));

describe('SubmitSection', () => {
  afterEach(() => void jest.useRealTimers());

  it('submits a job once, also by a double click', async () => {
    const accepted: string[] = [];
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    api.on(SUBMIT, () => Response.json({ success: true, job: buildJob() }, { status: 202 }));
    const { user } = renderInApp(<Form onSubmitted={({ id }) => accepted.push(id)} />);
    await user.dblClick(submit());
    await waitFor(() => expect(accepted).not.toEqual([]));
    expect(new Set(keys()).size).toBe(1);
    expect(await screen.findByText('Costs 1 credit, you have 26')).toBeTruthy();
  });

  it('shows the credits that the server is configured with', async () => {
    api.on('GET /api/config', {
      ...config,
      tools: config.tools.map((tool) => ({ ...tool, credits: tool.name === 'generate-article' ? 7 : 1 })),
    });
    renderInApp(<Form />);
    expect(await screen.findByText('Costs 7 credits, you have 26')).toBeTruthy();
  });

  it('says when the browser is back online, and sends then', async () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    api.on(SUBMIT, () => Promise.reject(new TypeError('Failed to fetch')));
    const accepted: string[] = [];
    const { user } = renderInApp(<Form onSubmitted={({ id }) => accepted.push(id)} />);
    await user.click(submit());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^You are offline\./);
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    await screen.findByText('You are back online. Send it again.');
    expect(screen.queryByRole('alert')).toBeNull();
    api.on(SUBMIT, () => Response.json({ success: true, job: buildJob() }, { status: 202 }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(accepted).toHaveLength(1));
    expect(new Set(keys()).size).toBe(1);
    onLine.mockRestore();
  });

  it('ignores clicks while it is sending', async () => {
    const answer = Promise.withResolvers<Response>();
    api.on(SUBMIT, () => answer.promise);
    const { user } = renderInApp(<Form />);
    await user.click(submit());
    expect(submit().getAttribute('aria-busy')).toBe('true');
    await user.click(submit());
    expect(submissions()).toHaveLength(1);
    answer.resolve(Response.json({ success: true, job: buildJob() }, { status: 202 }));
    await waitFor(() => expect(submit().getAttribute('aria-busy')).toBeNull());
  });

  it('asks for confirmation before it starts a job that is already running', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const jobs = ['1', '2'].map((digit) => buildJob({ id: buildJob().id.replaceAll('1', digit) }));
    api.on(SUBMIT, () =>
      Response.json({ success: true, job: jobs[new Set(keys()).size - 1] }, { status: 202 }),
    );
    const { user, putJob } = renderInApp(<Form />);
    await user.click(submit());
    await waitFor(() => expect(submit().getAttribute('aria-busy')).toBeNull());
    now += 5_000;
    await user.click(submit());
    expect(screen.getByText('This is already running').closest('[role=status]')?.textContent).toContain(
      'To run the same again costs 1 more credit.',
    );
    expect(submissions()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Run it again' }));
    await waitFor(() => expect(new Set(keys()).size).toBe(2));
    expect(screen.queryByText('This is already running')).toBeNull();

    for (const job of jobs) putJob({ ...job, ...ended('succeeded'), revision: job.revision + 10 });
    now += 5_000;
    await user.click(submit());
    await waitFor(() => expect(submissions()).toHaveLength(3));
  });

  it('counts down until a retry is allowed', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    api.on(SUBMIT, failure('QUEUE_FULL', 'The queue is full.', { retryAfter: 60 }));
    const { user } = renderInApp(<Form />);
    await user.click(submit());
    expect((await screen.findByText('The queue is full')).closest('[role=alert]')).not.toBeNull();
    const retry = screen.getByRole('button', { name: /Try again/ });
    expect([retry, submit()].map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true']);
    expect(retry.textContent).toMatch(/^Try againin \d+ s$/);
    await user.click(retry);
    expect(submissions()).toHaveLength(1);

    act(() => jest.advanceTimersByTime(60_000));
    expect(retry.getAttribute('aria-disabled')).toBeNull();
    expect(screen.getByText('You can try again now.')).toBeTruthy();
    api.on(SUBMIT, () => Response.json({ success: true, job: buildJob() }, { status: 202 }));
    await user.click(retry);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(submissions()).toHaveLength(2);
  });

  it('does not repeat the error of a field', async () => {
    const details = [{ field: 'prompt', message: 'Too long.' }];
    api.on(SUBMIT, failure('VALIDATION_FAILED', 'Check the topic.', { details }));
    const { user } = renderInApp(<Form />);
    await user.click(submit());
    await screen.findByText('Check the topic.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers the premium plan when the credits are used up, and submits again after the upgrade', async () => {
    api.on(SUBMIT, failure('INSUFFICIENT_CREDITS', 'No credits left.'));
    api.on('POST /api/user/plan', () => {
      api.setAccount({ plan: 'premium' });
      return { ...premiumAccount };
    });
    const { user } = renderInApp(<Form />);
    await user.click(submit());
    await user.click(await screen.findByRole('button', { name: 'Try Premium here' }));
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() =>
      expect(submissions().filter(({ path }) => path.startsWith('/api/ai'))).toHaveLength(2),
    );
  });

  it('says before a submission that the credits are used up', async () => {
    api.setAccount({
      credits: { allowance: 30, used: 30, remaining: 0, renewsAt: '2026-12-01T00:00:00.000Z' },
    });
    renderInApp(<Form />);
    expect(await screen.findByText(/30 new ones come on December 1\./)).toBeTruthy();
  });
});

const premiumAccount = {
  plan: 'premium',
  role: 'person',
  credits: { allowance: null, used: 4, remaining: null, renewsAt: null },
  storage: { used: 0, limit: 2_097_152_000 },
  profile: { id: 'user-1', fullName: 'Ada Brandt', email: 'ada@example.com', imageUrl: null },
};
