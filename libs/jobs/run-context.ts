import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '#libs/documents/documents.js';
import { AppError } from '#libs/contract/errors.js';
import { isDatabaseAway } from '#libs/database/sql.js';
import { pathOf } from '#libs/storage/object-key.js';
import { ObjectMissing, StoreError } from '#libs/storage/object-store.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import type { InputFile } from '#libs/contract/files.js';
import type { RunContext } from './tool-handler.js';
import type { AnswerCache } from './answer-cache.js';
import type { JobRow } from './job-row.js';
import type { JobProgress } from './job-progress.js';

/** Milliseconds to try storing a file while its store is away. */
const STORE_FOR = 60_000;

/** What the runs of a worker share. */
export interface RunServices {
  files: StoredFiles;
  documents: Documents;
  answers: AnswerCache;
}

/** What one attempt of a job hands to its tool. */
export function createRunContext(
  job: JobRow,
  run: JobProgress,
  { files, documents, answers }: RunServices,
): RunContext {
  const { id: jobId, user_id: userId } = job;
  return {
    userId,
    jobId,
    documents,
    signal: run.signal,
    once: (key, make) => answers.once({ userId, tool: job.tool, key }, make),
    stage: (stage, message, percent) => run.stage(stage, message, percent),
    percent: (percent) => run.percent(percent),
    text: (piece) => run.text(piece),
    file: async (field) => {
      const key = job.files[field];
      return key === undefined ? null : readInput(files, userId, key);
    },
    store: async (content, type) => {
      const key = await inPatience(run.signal, () =>
        files.keep({ userId, jobId, kind: 'image', type, name: '', content }),
      );
      return { key, path: pathOf(key) };
    },
  };
}

/** What an AI service made is not thrown away for a store, or a database, that is away for a minute. */
async function inPatience<T>(signal: AbortSignal, store: () => Promise<T>): Promise<T> {
  const until = Date.now() + STORE_FOR;
  for (let wait = 200; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await store();
    } catch (error) {
      const mayPass = error instanceof StoreError || isDatabaseAway(error);
      if (!mayPass || Date.now() > until) throw error;
      await pause(wait, undefined, { signal });
    }
  }
}

async function readInput(files: StoredFiles, userId: string, key: string): Promise<InputFile> {
  const record = await files.ofUser(userId, key);
  if (!record) throw inputGone();
  const { name, type, sha256 } = record;
  try {
    return { name, type, sha256, bytes: await files.read(key) };
  } catch (error) {
    throw error instanceof ObjectMissing ? inputGone() : error;
  }
}

const inputGone = () =>
  new AppError(
    'INTERNAL',
    'The file of this job is no longer stored. Your credit was given back; send it again.',
  );
