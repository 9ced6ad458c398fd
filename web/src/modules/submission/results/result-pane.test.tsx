/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildJob, buildProgress, ended } from '../../../../../test/web/build-job';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { config, failure, stubApi } from '../../../../../test/web/stub-api';
import { ResultPane } from './result-pane';
import { useToolRun } from './use-tool-run';

const api = stubApi();
const ID = buildJob().id;
const PATH = `/?job=${ID}`;

function Page() {
  const run = useToolRun('generate-article');
  return (
    <ResultPane run={run} title="Your article" sample="A sample" actions={() => <button>Copy</button>}>
      {({ text }) => <p>{text}</p>}
    </ResultPane>
  );
}

const list = (jobs: object[]) => ({ jobs, nextCursor: null });
const button = (name: string) => screen.findByRole('button', { name });

describe('ResultPane', () => {
  it('shows a sample, the engine and the cost before the first job', async () => {
    api.on('GET /api/jobs', list([]));
    renderInApp(<Page />);
    expect(screen.getByText('A sample')).toBeTruthy();
    expect(await screen.findByText('Works on this server')).toBeTruthy();
    expect(await screen.findByText('Costs 1 credit')).toBeTruthy();
  });

  it('reads the engines again once the server did the work of the connected service', async () => {
    const engines = ['openai', 'offline'];
    api.on('GET /api/config', () => {
      const engine = engines.shift();
      const tools = [{ name: 'generate-article', title: 'Article', plan: 'free', credits: 1, engine }];
      return Response.json({ success: true, ...config, engine: 'openai', tools });
    });
    const job = buildJob({ ...ended('succeeded'), result: { content: 'An outline', engine: 'offline' } });
    api.on('GET /api/jobs', list([job]));
    api.on('GET /api/jobs/:id', { job });
    renderInApp(<Page />, { path: PATH, jobs: [job] });
    await waitFor(() => expect(engines).toEqual([]));
  });

  it('waits for a job that is loading, and then shows its text', async () => {
    const answer = Promise.withResolvers<Response>();
    api.on('GET /api/jobs', list([]));
    api.on('GET /api/jobs/:id', () => answer.promise);
    renderInApp(<Page />, { path: PATH });
    expect(screen.getByRole('status').textContent).toBe('Loading the result');
    answer.resolve(Response.json({ success: true, job: { ...buildJob(), partial: 'Once upon' } }));
    expect(await screen.findByText('Once upon')).toBeTruthy();
  });

  it('shows queue position, progress and result of a job', async () => {
    const queued = buildJob({ status: 'queued', position: 2, etaSeconds: 40 });
    api.on('GET /api/jobs', list([queued]));
    api.on('GET /api/jobs/:id', { job: queued });
    const { putJob } = renderInApp(<Page />, { path: PATH, jobs: [queued] });
    const heading = () => screen.getByRole('heading', { level: 2 }).textContent;
    expect(heading()).toBe('2nd in the queue, about 40 s');
    // The live region must not contain the estimate, which changes every second.
    expect(screen.getByText('In the queue').getAttribute('role')).toBe('status');

    putJob(buildJob({ progress: buildProgress({ percent: 60, message: 'Writing section 3' }) }));
    expect(heading()).toBe('Writing section 3');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('60');

    putJob(
      buildJob({
        progress: buildProgress({
          ...{ percent: 5, kind: 'estimated', measure: null, message: 'Checking' },
          ...{ elapsedSeconds: 50, expectedSeconds: { from: 60, to: 80 } },
        }),
      }),
    );
    expect(screen.getByText(/^5\d s, usually 60 to 80 s$/)).toBeTruthy();
    const bar = screen.getByRole('progressbar');
    // The estimate starts from the measured 60%.
    expect(Number(bar.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(60);
    expect(bar.getAttribute('aria-valuetext')).toMatch(/^about 6\d%, 5\d s, usually 60 to 80 s$/);

    putJob(
      buildJob({
        ...ended('succeeded'),
        result: { content: 'The article', engine: 'openai', model: 'gpt-4.1-mini' },
      }),
    );
    expect(heading()).toBe('Your article');
    expect(screen.getByText('The article')).toBeTruthy();
    expect(screen.getByText('1 credit used')).toBeTruthy();
    expect(screen.getByText('Made by the connected AI service · gpt-4.1-mini')).toBeTruthy();
    expect(await button('Copy')).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('says that a result was deleted, and shows it again when it is restored', async () => {
    const done = {
      ...ended('succeeded'),
      result: { content: 'The article', engine: 'openai', model: 'gpt-4.1-mini' },
    };
    const job = buildJob(done);
    api.on('GET /api/jobs', list([job]));
    api.on('GET /api/jobs/:id', { job });
    const { putJob } = renderInApp(<Page />, { path: PATH, jobs: [job] });
    expect(await screen.findByText('The article')).toBeTruthy();

    putJob(buildJob({ ...ended('succeeded'), result: null, resultDeleted: true, title: 'Write Article' }));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Deleted');
    expect(screen.getByText('This result was deleted')).toBeTruthy();
    expect(screen.queryByText('The article')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
    // An event that arrives after the deletion must not restore the text.
    putJob(job);
    expect(screen.queryByText('The article')).toBeNull();

    putJob(buildJob(done));
    expect(await screen.findByText('The article')).toBeTruthy();
    expect(await button('Copy')).toBeTruthy();
  });

  it('cancels a running job', async () => {
    const job = buildJob();
    api.on('GET /api/jobs', list([job]));
    api.on('GET /api/jobs/:id', { job });
    api.on('DELETE /api/jobs/:id', () => ({ job: buildJob({ ...ended('cancelled'), credits: 0 }) }));
    const { user } = renderInApp(<Page />, { path: PATH, jobs: [job] });
    await user.click(await button('Cancel'));
    expect(await screen.findByText('You cancelled this run')).toBeTruthy();
    expect(screen.getByText('Not charged')).toBeTruthy();
  });

  it('retries a failed job as a new one', async () => {
    const failed = buildJob({
      ...ended('failed'),
      error: { code: 'JOB_TIMED_OUT', message: 'Over five minutes.' },
    });
    const retried = buildJob({ id: ID.replaceAll('1', '2') });
    api.on('GET /api/jobs', list([failed]));
    api.on('GET /api/jobs/:id', { job: retried });
    api.on('POST /api/jobs/:id/retry', () => Response.json({ success: true, job: retried }, { status: 202 }));
    const { user, address } = renderInApp(<Page />, { path: PATH, jobs: [failed] });
    expect(screen.getByText('This took too long')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('Over five minutes. Your input is still here.');
    await user.click(await button('Retry'));
    await waitFor(() => expect(address()).toBe(`/?job=${retried.id}`));
    expect(await screen.findByRole('progressbar')).toBeTruthy();
  });

  it('fetches the text of a run that was cancelled before the page was loaded', async () => {
    const cancelled = buildJob({ ...ended('cancelled'), credits: 0 });
    api.on('GET /api/jobs', list([cancelled]));
    api.on('GET /api/jobs/:id', { job: { ...cancelled, partial: 'Half a story' } });
    renderInApp(<Page />, { path: PATH, jobs: [cancelled] });
    expect(await screen.findByText('Half a story')).toBeTruthy();
    expect(await button('Retry')).toBeTruthy();
  });

  it('offers no retry for a final error', async () => {
    const failed = buildJob({
      ...ended('failed'),
      error: { code: 'ENGINE_CANNOT', message: 'I see a person. Name one of these.' },
    });
    api.on('GET /api/jobs', list([failed]));
    api.on('GET /api/jobs/:id', { job: failed });
    renderInApp(<Page />, { path: PATH, jobs: [failed] });
    expect(await screen.findByText('This engine cannot do that')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('says why a job could not be retried', async () => {
    const failed = buildJob(ended('failed'));
    api.on('GET /api/jobs', list([failed]));
    api.on('GET /api/jobs/:id', { job: failed });
    api.on('POST /api/jobs/:id/retry', failure('QUEUE_FULL', 'The queue is full.'));
    const { user } = renderInApp(<Page />, { path: PATH, jobs: [failed] });
    await user.click(await button('Retry'));
    expect(await screen.findByText('The queue is full')).toBeTruthy();
    const retried = buildJob({ id: ID.replaceAll('1', '2') });
    api.on('POST /api/jobs/:id/retry', () => Response.json({ success: true, job: retried }, { status: 202 }));
    api.on('GET /api/jobs/:id', { job: retried });
    await user.click(await button('Try again'));
    expect(await screen.findByRole('progressbar')).toBeTruthy();
  });
});
