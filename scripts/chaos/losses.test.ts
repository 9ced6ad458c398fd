import { describe, expect, it } from '@jest/globals';
import type { JobRow } from './evidence.ts';
import { newLog } from './log.ts';
import { findLosses } from './losses.ts';
import type { Evidence } from './rule.ts';

const row = (changes: Partial<JobRow> = {}): JobRow => ({
  id: 'job-1',
  userId: 'ada',
  tool: 'generate-article',
  status: 'succeeded',
  stage: 'done',
  age: 3,
  attempts: 1,
  credits: 1,
  revision: 3,
  result: { content: 'Tomatoes.', creationId: 'creation-1' },
  key: 'key-1',
  retryOf: null,
  batchId: null,
  groupId: null,
  ...changes,
});

const accepted = (jobId: string) => ({ jobId, tool: 'article', marker: 'one', key: 'key-1', retryOf: null });
const charge = { userId: 'ada', month: '2026-11-01', kind: 'charge', amount: -1, jobId: 'job-1' };
const creation = {
  ...{ id: 'creation-1', userId: 'ada', jobId: 'job-1', prompt: '', content: 'Tomatoes.' },
  ...{ madeFrom: null, isDeleted: false },
};

/** Ada's key was answered twice with the same job. */
function evidence(): Evidence {
  const ada = newLog('ada', 'ada@example.com', 'Ada', 'free');
  ada.accepted.push(accepted('job-1'), accepted('job-1'));
  return {
    users: [ada],
    rows: {
      ...{
        users: [{ id: 'ada', pictureKey: null, isSuspended: false }],
        balances: [],
        batches: [],
        items: [],
      },
      ...{ flows: [], steps: [], versions: [], audit: [] },
      jobs: [row()],
      entries: [charge],
      creations: [creation],
    },
  };
}

const readable = new Set(['job-1']);

describe('losses', () => {
  it('are none if each accepted job ended once with a readable result', () => {
    expect(findLosses(evidence(), readable)).toEqual({ lost: [], doubled: [] });
  });

  it('are jobs without a row, an end, a success or a readable result', () => {
    const lostOf = (jobs: JobRow[], read = readable) => {
      const changed = evidence();
      changed.rows.jobs = jobs;
      return findLosses(changed, read).lost;
    };
    expect(lostOf([])).toEqual(['job job-1 has no row']);
    expect(lostOf([row({ status: 'running', stage: 'writing' })])).toEqual([
      'job job-1 has not ended: running, writing, attempt 1',
    ]);
    expect(lostOf([row({ status: 'failed' })])).toEqual(['job job-1 is failed']);
    expect(lostOf([row()], new Set())).toEqual(['the result of job job-1 cannot be read']);
  });

  it('finds doubled jobs, charges, creations and answers', () => {
    const doubled = evidence();
    doubled.rows.jobs.push(row({ id: 'job-2' }));
    doubled.rows.entries.push(charge);
    doubled.rows.creations.push({ ...creation, id: 'creation-2' });
    doubled.users[0]!.accepted.push(accepted('job-2'));
    expect(findLosses(doubled, new Set(['job-1', 'job-2'])).doubled).toEqual([
      'the key key-1 of ada has 2 jobs',
      'job job-1 has 2 charges',
      'job job-1 has 2 creations',
      'the key key-1 was answered with 2 jobs',
    ]);
  });
});
