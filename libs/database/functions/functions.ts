import type { DataSource } from 'typeorm';
import { chargeCredits } from './charge-credits.sql.js';
import { claimJob } from './claim-job.sql.js';
import { othersWait } from './others-wait.sql.js';
import { setCreationSearchText } from './set-creation-search-text.sql.js';
import { setCreationTagsDeleted } from './set-creation-tags-deleted.sql.js';
import { storageUse } from './storage-use.sql.js';
import { submitJobs } from './submit-jobs.sql.js';

/** The functions of the database, each in its current text. A function that calls another comes behind it. */
export const functions = [
  storageUse,
  chargeCredits,
  submitJobs,
  othersWait,
  claimJob,
  setCreationSearchText,
  setCreationTagsDeleted,
];

/**
 * Gives the database the current text of its functions. Programs of the version before may be running: a new text still
 * answers their calls. A function whose parameters or result change is dropped by a migration first.
 */
export async function applyFunctions(dataSource: DataSource): Promise<void> {
  for (const definition of await findOutdated(dataSource)) await dataSource.query(definition);
}

/** @returns the names of the functions that are missing or have another text in the database */
export const outdatedFunctions = async (dataSource: DataSource): Promise<string[]> =>
  (await findOutdated(dataSource)).map(nameOf);

async function findOutdated(dataSource: DataSource): Promise<string[]> {
  const stored = await dataSource.query<{ name: string; body: string }[]>(
    `SELECT proname AS name, prosrc AS body FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1)`,
    [functions.map(nameOf)],
  );
  const bodies = new Map(stored.map(({ name, body }) => [name, body]));
  return functions.filter((definition) => bodies.get(nameOf(definition)) !== bodyOf(definition));
}

const nameOf = (definition: string): string => /FUNCTION (\w+)/.exec(definition)![1]!;
const bodyOf = (definition: string): string => definition.split('$$')[1]!;
