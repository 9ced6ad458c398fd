import type { DataSource } from 'typeorm';
import { addPartitions } from './add-partitions.sql.js';
import {
  addBatchWebhookEvents,
  addFlowWebhookEvents,
  addJobWebhookEvents,
} from './add-webhook-events.sql.js';
import { apiKeyRefusal } from './api-key-use.sql.js';
import { chargeCredits } from './charge-credits.sql.js';
import { checkWrites } from './check-writes.sql.js';
import { claimJob } from './claim-job.sql.js';
import { endLostCalls } from './end-lost-calls.sql.js';
import { forgetDeletedJobs } from './forget-deleted-jobs.sql.js';
import { logAttempt } from './log-attempt.sql.js';
import { othersWait } from './others-wait.sql.js';
import { providerBudgetUse } from './provider-budget-use.sql.js';
import { recordProviderCalls } from './record-provider-calls.sql.js';
import { refuseChange } from './refuse-change.sql.js';
import { reserveProviderBudget } from './reserve-provider-budget.sql.js';
import { reservedSlots } from './reserved-slots.sql.js';
import { setCreationSearchText } from './set-creation-search-text.sql.js';
import { setCreationTagsDeleted } from './set-creation-tags-deleted.sql.js';
import { setMessageNotebook } from './set-message-notebook.sql.js';
import { slotsAreReserved } from './slots-are-reserved.sql.js';
import { storageUse } from './storage-use.sql.js';
import { submitJobs } from './submit-jobs.sql.js';

/** SQL definitions of all database functions. A function must come after the functions that it calls. */
export const functions = [
  storageUse,
  chargeCredits,
  apiKeyRefusal,
  submitJobs,
  othersWait,
  reservedSlots,
  slotsAreReserved,
  claimJob,
  setCreationSearchText,
  setCreationTagsDeleted,
  setMessageNotebook,
  addJobWebhookEvents,
  addBatchWebhookEvents,
  addFlowWebhookEvents,
  refuseChange,
  logAttempt,
  checkWrites,
  recordProviderCalls,
  providerBudgetUse,
  endLostCalls,
  reserveProviderBudget,
  addPartitions,
  forgetDeletedJobs,
];

/**
 * Updates the functions whose definition differs in the database. Programs of the previous version may be running, so
 * new definitions must still support their calls. If parameters or result type change, a migration must drop the
 * function first.
 */
export async function applyFunctions(dataSource: DataSource): Promise<void> {
  for (const definition of await findOutdated(dataSource)) await dataSource.query(definition);
}

/** @returns names of functions that are missing in the database or have a different definition there */
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
