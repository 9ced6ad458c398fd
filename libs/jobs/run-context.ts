import type { Documents } from '#libs/documents/documents.js';
import { AppError } from '#libs/contract/errors.js';
import { pathOf } from '#libs/storage/object-key.js';
import { ObjectMissing } from '#libs/storage/object-store.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import type { InputFile, RunContext } from '#libs/tools/define-handler.js';
import type { FirstAnswers } from './first-answers.js';
import type { JobRow } from './job-row.js';
import type { LiveRun } from './live-run.js';

/** What the runs of a worker share. */
export interface RunServices {
  files: StoredFiles;
  documents: Documents;
  answers: FirstAnswers;
}

/** What one attempt of a job hands to its tool. */
export function createRunContext(
  job: JobRow,
  run: LiveRun,
  { files, documents, answers }: RunServices,
): RunContext {
  const { id: jobId, person_id: personId } = job;
  return {
    personId,
    jobId,
    documents,
    signal: run.signal,
    once: (key, make) => answers.once({ personId, tool: job.tool, key }, make),
    stage: (stage, message, percent) => run.stage(stage, message, percent),
    percent: (percent) => run.percent(percent),
    text: (piece) => run.text(piece),
    file: async (field) => {
      const key = job.files[field];
      return key === undefined ? null : readInput(files, personId, key);
    },
    store: async (content, type) => {
      const key = await files.keep({ personId, jobId, kind: 'image', type, name: '', content });
      return { key, path: pathOf(key) };
    },
  };
}

async function readInput(files: StoredFiles, personId: string, key: string): Promise<InputFile> {
  const record = await files.ofPerson(personId, key);
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
