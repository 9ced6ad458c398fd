import type { Database } from '#libs/database/sql.js';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { creationNotFound } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { imageCreation } from '#libs/contract/images.js';
import type { QueueName } from '#libs/contract/jobs.js';
import { CreationEntity, StoredObjectEntity } from '#libs/database/entities/creations.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { editableTypes } from '#libs/tools/catalogue.js';

export interface LockedFile {
  field: string;
  name: string;
  sha256: string;
  key: string;
  bytes: number;
  /** Bytes that are not yet part of the user's storage: 0 if a job already has the file. */
  newBytes: number;
}

/**
 * Locks the files of a submission until the transaction ends, so that they cannot be deleted. For a retry, also locks
 * the repeated job, which owns the files.
 * @param files object keys by input field
 * @throws AppError JOB_NOT_RETRYABLE if a file was deleted
 */
export async function lockFiles(
  transaction: EntityManager,
  userId: string,
  files: Record<string, string>,
  retryOf: string | undefined,
): Promise<LockedFile[]> {
  const fields = Object.keys(files).sort();
  if (fields.length === 0) return [];
  if (retryOf !== undefined) {
    const repeated = await transaction.findOne(JobEntity, {
      select: { id: true },
      where: { id: retryOf, input: Not(IsNull()) },
      lock: { mode: 'pessimistic_read' },
    });
    if (!repeated) throw inputDeleted();
  }
  const found = await transaction.find(StoredObjectEntity, {
    where: { key: In(Object.values(files)), userId, removedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  return fields.map((field) => {
    const file = found.find(({ key }) => key === files[field]);
    if (!file) throw inputDeleted();
    const { key, name, sha256, bytes, jobId } = file;
    return { field, name, sha256, key, bytes, newBytes: jobId === null ? bytes : 0 };
  });
}

/** Assigns files to a job, so that they count as the user's storage. */
export async function attachFiles(
  transaction: EntityManager,
  jobId: string,
  files: LockedFile[],
): Promise<void> {
  if (files.length === 0) return;
  await transaction.update(StoredObjectEntity, { key: In(files.map(({ key }) => key)) }, { jobId });
}

export const inputDeleted = () =>
  new AppError('JOB_NOT_RETRYABLE', 'What this job was made from is no longer stored. Start it anew.');

/** The creation that a job uses as input. */
export interface JobSource {
  /** Size of the source picture in bytes. */
  picture?: { bytes: number };
  textId?: string;
  /** NOT_FOUND, UNREADABLE_IMAGE or VALIDATION_FAILED if the job cannot use the creation. */
  problem?: AppError;
}

/**
 * Finds the creation named in a job's input. A text is locked until the transaction ends, so that it cannot be deleted.
 */
export async function findSource(
  transaction: EntityManager,
  userId: string,
  { id, queue }: { id: string | undefined; queue: QueueName },
): Promise<JobSource | undefined> {
  if (id === undefined) return undefined;
  try {
    if (queue !== 'text') return { picture: await requireSource(transaction, userId, id) };
    await requireSourceText(transaction, userId, id);
    return { textId: id };
  } catch (error) {
    if (error instanceof AppError) return { problem: error };
    throw error;
  }
}

/**
 * Checks that a creation is an image of the user.
 * @returns size of the image in bytes
 * @throws AppError NOT_FOUND, or UNREADABLE_IMAGE if the creation is a text
 */
export async function requireSource(
  database: Database,
  userId: string,
  id: string,
): Promise<{ bytes: number }> {
  const creation = await database
    .getRepository(CreationEntity)
    .findOneBy({ id, userId, deletedAt: IsNull() });
  if (!creation) throw creationNotFound();
  if (creation.type !== imageCreation.type)
    throw new AppError('UNREADABLE_IMAGE', 'This creation is a text. Choose an image.');
  const picture = await database
    .getRepository(StoredObjectEntity)
    .findOneBy({ creationId: id, kind: 'image', removedAt: IsNull() });
  return { bytes: picture?.bytes ?? 0 };
}

/** @throws AppError NOT_FOUND, or VALIDATION_FAILED if the creation is not an editable text */
async function requireSourceText(transaction: EntityManager, userId: string, id: string): Promise<void> {
  const creation = await transaction.findOne(CreationEntity, {
    select: { id: true, type: true },
    where: { id, userId, deletedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  if (!creation) throw creationNotFound();
  if (editableTypes.has(creation.type)) return;
  const wrong = { field: 'creation', message: 'This creation is no text that can be edited.' };
  throw new AppError('VALIDATION_FAILED', wrong.message, { details: [wrong] });
}
