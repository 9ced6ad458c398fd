import type { Documents } from '#libs/documents/documents.js';
import type { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import { AppError } from '#libs/contract/errors.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { pathOf } from '#libs/storage/object-key.js';
import { ObjectMissing } from '#libs/storage/object-store.js';
import type { FileRecord, StoredFiles } from '#libs/storage/stored-files.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { sourceOf } from '#libs/contract/images.js';
import type { InputFile } from '#libs/contract/files.js';
import type { NotebookServices, RunContext } from '../tool-handler.js';
import type { AnswerCache } from '../answer-cache.js';
import { requireRoomForFile, type ReclaimStorage, type StorageQuota } from '#libs/billing/storage-quota.js';
import type { AttemptPreviews } from './attempt-previews.js';
import type { JobProgress } from './job-progress.js';
import { retryWhileUnavailable } from '../retry-while-unavailable.js';

export interface RunServices extends NotebookServices {
  files: StoredFiles;
  documents: Documents;
  answers: AnswerCache;
  quota: StorageQuota;
  reclaimStorage: ReclaimStorage;
  models: LocalModels;
  embedder: PassageEmbedder;
}

export function createRunContext(
  job: JobEntity,
  progress: JobProgress,
  previews: AttemptPreviews,
  services: RunServices,
): RunContext {
  const { files, documents, answers, quota, reclaimStorage, models, embedder } = services;
  const { notebooks, notebookDocuments, notebookNotes } = services;
  const { id: jobId, userId } = job;
  return {
    userId,
    jobId,
    documents,
    notebooks,
    notebookDocuments,
    notebookNotes,
    models,
    embedder,
    signal: progress.signal,
    once: (key, make) => answers.once({ userId, tool: job.tool, key }, jobId, make),
    stage: (stage, message, percent, measure) => progress.stage(stage, message, percent, measure),
    percent: (percent, measure) => progress.percent(percent, measure),
    text: (piece) => progress.text(piece),
    preview: (image) => previews.show(image),
    file: async (field) => {
      const key = job.files[field];
      return key === undefined ? null : readInput(files, userId, key);
    },
    source: async () => {
      const creationId = sourceOf(job.input);
      return creationId === undefined ? null : readSource(files, userId, creationId);
    },
    store: async (content, type) => {
      // Retry, so that a short outage of the file store does not lose a result that an AI service was paid for.
      const key = await retryWhileUnavailable(
        () =>
          files.add({
            ...{ userId, jobId, kind: 'image', type, name: '', content },
            requireRoom: (transaction) =>
              requireRoomForFile(transaction, quota, userId, content.length, reclaimStorage),
          }),
        progress.signal,
      );
      return { key, path: pathOf(key) };
    },
  };
}

async function readInput(files: StoredFiles, userId: string, key: string): Promise<InputFile> {
  return readRecord(files, await files.findOfUser(userId, key), inputDeleted);
}

async function readSource(files: StoredFiles, userId: string, creationId: string): Promise<InputFile> {
  return readRecord(files, await files.findCurrentImage(userId, creationId), sourceDeleted);
}

async function readRecord(
  files: StoredFiles,
  record: FileRecord | undefined,
  errorIfMissing: () => AppError,
): Promise<InputFile> {
  if (!record) throw errorIfMissing();
  const { key, name, type, sha256 } = record;
  try {
    return { name, type, sha256, bytes: await files.read(key) };
  } catch (error) {
    throw error instanceof ObjectMissing ? errorIfMissing() : error;
  }
}

const inputDeleted = () =>
  new AppError(
    'INTERNAL',
    'The file of this job is no longer stored. Your credit was given back; send it again.',
  );

const sourceDeleted = () =>
  new AppError(
    'NOT_FOUND',
    'The creation that this was to be made from was deleted. Your credit was given back.',
  );
