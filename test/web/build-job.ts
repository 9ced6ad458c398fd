import type { Job } from '#libs/contract/jobs.js';

let revision = 0;

/** A running job of the article tool, unless `changes` say otherwise. Each one is newer than the one before. */
export const buildJob = (changes: Partial<Job> = {}): Job => ({
  id: '11111111-1111-4111-8111-111111111111',
  tool: 'generate-article',
  title: 'A small town newspaper',
  status: 'running',
  progress: { percent: 40, stage: 'writing', message: 'Writing' },
  position: null,
  etaSeconds: null,
  result: null,
  error: null,
  attempts: 1,
  credits: 1,
  priority: 'standard',
  revision: (revision += 1),
  createdAt: new Date(Date.now() - 60_000).toISOString(),
  startedAt: new Date(Date.now() - 50_000).toISOString(),
  finishedAt: null,
  ...changes,
});

/** The changes of a job that has ended. */
export const ended = (status: 'succeeded' | 'failed' | 'cancelled') => ({
  status,
  finishedAt: new Date().toISOString(),
});
