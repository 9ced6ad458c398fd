import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import { execute, queryRow, type Transaction } from '#libs/database/sql.js';
import { nextMonth, type Month } from './credits.js';

/** Why a key may not start jobs. */
export const apiKeyRefusalSchema = z.enum(['revoked', 'jobs', 'credits']);

/** Jobs that a key starts. */
interface ApiKeyUse {
  apiKeyId: string;
  month: Month;
  jobs: number;
}

/**
 * Checks the monthly caps of a key. Lock the user first, so that concurrent requests never pass a cap together.
 * @throws AppError KEY_CAP_REACHED if a cap is reached, UNAUTHENTICATED if the key was revoked
 */
export async function requireApiKeyCaps(
  transaction: Transaction,
  { apiKeyId, month, jobs, credits }: ApiKeyUse & { credits: number },
): Promise<void> {
  const answer = await queryRow(
    transaction,
    z.object({ reason: apiKeyRefusalSchema.nullable() }),
    `SELECT api_key_refusal($1, $2, $3, $4) AS reason`,
    [apiKeyId, month, jobs, credits],
  );
  if (answer?.reason) throw apiKeyRefused(answer.reason, month);
}

/** Counts the jobs of a batch or flow. The function `submit_jobs` counts those of other requests. */
export async function countApiKeyJobs(
  transaction: Transaction,
  { apiKeyId, month, jobs }: ApiKeyUse,
): Promise<void> {
  await execute(
    transaction,
    `INSERT INTO api_key_months AS counted (api_key_id, month, jobs) VALUES ($1, $2, $3)
     ON CONFLICT (api_key_id, month) DO UPDATE SET jobs = counted.jobs + excluded.jobs`,
    [apiKeyId, month, jobs],
  );
}

export function apiKeyRefused(reason: z.infer<typeof apiKeyRefusalSchema>, month: Month): AppError {
  if (reason === 'revoked') return new AppError('UNAUTHENTICATED', 'This API key was revoked.');
  const renewsAt = nextMonth(month);
  const day = renewsAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return new AppError(
    'KEY_CAP_REACHED',
    `This API key has reached its monthly cap on ${reason}. Raise the cap on the page “API keys” of your account, or wait until ${day}.`,
    { details: { cap: reason, renewsAt: renewsAt.toISOString() } },
  );
}
