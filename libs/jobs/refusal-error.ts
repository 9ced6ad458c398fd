import { accountDeleted } from '#libs/accounts/lock-user.js';
import { accountSuspended } from '#libs/accounts/suspension.js';
import { apiKeyRefused } from '#libs/billing/api-key-caps.js';
import { insufficientCredits } from '#libs/billing/credits.js';
import { premiumRequired } from '#libs/billing/plan.js';
import { storageFull } from '#libs/billing/storage-quota.js';
import type { AppError } from '#libs/contract/errors.js';
import type { Database } from '#libs/database/sql.js';
import { queueFull, tooManyBatchItems, tooManyUnfinished } from '#libs/scheduling/queue-limits.js';
import { tools } from '#libs/tools/catalogue.js';
import type { JobsRequest, Refusal } from './submit-jobs.js';

export async function refusalError(
  database: Database,
  { tool, queue, month }: JobsRequest,
  refusal: Refusal,
): Promise<AppError> {
  switch (refusal.refused) {
    case 'account-gone':
      return accountDeleted();
    case 'suspended':
      return accountSuspended(refusal.reason);
    case 'premium-required':
      return premiumRequired(tools[tool]);
    case 'unfinished':
      return tooManyUnfinished(refusal.atMost);
    case 'batch-items':
      return tooManyBatchItems(refusal.atMost);
    case 'queue-full':
      return queueFull(database, queue, refusal.waitingAtMost);
    case 'storage-full':
    case 'purge-first':
      return storageFull(refusal);
    case 'api-key':
      return apiKeyRefused(refusal.reason, month);
    case 'credits':
      return insufficientCredits(month, refusal.needed);
  }
}
