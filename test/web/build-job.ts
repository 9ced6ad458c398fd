import type { Job } from '#libs/contract/jobs.js';
import type { Progress } from '#libs/contract/progress.js';

let revision = 0;

/** The progress at half of an article. */
export const buildProgress = (changes: Partial<Progress> = {}): Progress => ({
  percent: 40,
  kind: 'measured',
  measure: { done: 320, total: 800, unit: 'words' },
  elapsedSeconds: 50,
  expectedSeconds: null,
  stage: 'writing',
  message: 'Writing',
  ...changes,
});

/** A running job of the article tool, unless `changes` say otherwise. Each one is newer than the one before. */
export const buildJob = (changes: Partial<Job> = {}): Job => ({
  id: '11111111-1111-4111-8111-111111111111',
  tool: 'generate-article',
  title: 'A small town newspaper',
  status: 'running',
  progress: buildProgress(),
  position: null,
  etaSeconds: null,
  waiting: null,
  wentAheadOf: 0,
  preview: null,
  result: null,
  error: null,
  attempts: 1,
  credits: 1,
  priority: 'standard',
  group: null,
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
