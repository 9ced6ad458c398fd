/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildCreation } from '../../../../../test/web/build-creation';
import { buildJob, ended } from '../../../../../test/web/build-job';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { AtsResults } from './ats-results';
import CalculateAtsScorePage from './page';
import { readReport } from './read-report';

const EARLIER = '11111111-1111-4111-8111-111111111111';
const NEW = '22222222-2222-4222-8222-222222222222';
const api = stubApi();

const skill = (match: boolean) => ({ match, feedback: '' });
const scored = (id: string, score: number, kubernetes: boolean) =>
  buildJob({
    ...{ id, tool: 'calculate-ats-score', ...ended('succeeded') },
    result: {
      engine: 'offline',
      creationId: id,
      content: {
        ...{ score, feedback: '', suggestions: [], breakdown: { Kubernetes: skill(kubernetes) } },
      },
    },
  });
const creation = (id: string, jobDescription: string) =>
  buildCreation({
    ...{ id, jobId: id, type: 'ats-score', editable: false, content: `# ATS score of ${id}` },
    settings: { jobDescription },
  });

it('shows the score that ticked skills would give', async () => {
  const user = userEvent.setup();
  const asked = (match: boolean, weight: number) => ({
    ...{ match, feedback: '', importance: 'required', weight, credit: match ? 1 : 0 },
    ...{ job: { quote: 'Asked for.' }, resume: null },
  });
  const breakdown = { Go: asked(true, 3), Ansible: asked(false, 3), Kafka: asked(false, 1) };
  const content = { score: 43, feedback: '', suggestions: [], breakdown };
  const job = buildJob({
    ...{ id: NEW, tool: 'calculate-ats-score', ...ended('succeeded') },
    result: { engine: 'offline', creationId: NEW, content },
  });
  api.on('GET /api/jobs', { jobs: [], nextCursor: null });
  api.on('GET /api/user/creations/:id', { creation: creation(NEW, 'Go.'), sources: [] });
  renderInApp(<CalculateAtsScorePage />, { path: `/?job=${NEW}`, jobs: [job] });
  await user.click(await screen.findByRole('checkbox', { name: 'I can show Ansible: 43 points more' }));
  screen.getByText('86/100 (+43)');
  await user.click(screen.getByRole('checkbox', { name: 'I can show Kafka: 14 points more' }));
  screen.getByText('100/100 (+57)');
  await user.click(screen.getByRole('checkbox', { name: /Ansible/ }));
  screen.getByText('57/100 (+14)');
});

it('shows a notice instead of a number for a language that is not supported', () => {
  const limits = 'The job description seems to be in Japanese. So this score is no measure of the match.';
  const report = readReport({ score: 12, limits, breakdown: { Python: skill(true) }, feedback: limits });
  renderInApp(<AtsResults report={report} />, { path: '/' });
  within(screen.getByRole('status')).getByText(limits);
  expect(screen.queryByRole('meter')).toBeNull();
  screen.getByText('Python');
});

describe('a score of a changed resume', () => {
  let jobs: ReturnType<typeof scored>[];
  beforeEach(() => {
    jobs = [scored(NEW, 75, true), scored(EARLIER, 50, false)];
    api.on('GET /api/jobs', { jobs: [], nextCursor: null });
    api.on('GET /api/user/creations/:id', ({ path }) => ({
      creation: creation(path.includes(NEW) ? NEW : EARLIER, 'Kubernetes is needed.'),
      sources: [],
    }));
  });
  const show = (known = jobs) =>
    renderInApp(<CalculateAtsScorePage />, { path: `/?job=${NEW}&beside=${EARLIER}`, jobs: known });

  it('is shown next to the previous one, with the difference', async () => {
    show();
    const change = await screen.findByRole('region', { name: '50 → 75 points 25 more' });
    within(change).getByText('Newly found:');
    const before = screen.getByRole('region', { name: 'Earlier result' });
    expect(within(before).getByRole('meter').getAttribute('aria-valuenow')).toBe('50');
    const now = screen.getByRole('region', { name: 'New result' });
    expect(within(now).getByRole('meter').getAttribute('aria-valuenow')).toBe('75');
  });

  it('shows the text of the previous one if its job was deleted', async () => {
    api.on('GET /api/jobs/:id', failure('NOT_FOUND', 'There is no such job.'));
    show(jobs.slice(0, 1));
    await screen.findByRole('heading', { name: `ATS score of ${EARLIER}` });
    expect(screen.queryByText('Newly found:')).toBeNull();
  });

  it('is not compared by skills with the score of another job', async () => {
    api.on('GET /api/user/creations/:id', ({ path }) => ({
      creation: path.includes(NEW) ? creation(NEW, 'Kubernetes.') : creation(EARLIER, 'Rust.'),
      sources: [],
    }));
    show();
    await screen.findByText(/different job descriptions/);
    expect(screen.queryByText('Newly found:')).toBeNull();
  });
});
