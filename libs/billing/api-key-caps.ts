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
  jobIds: string[];
}

/**
 * Checks the monthly caps of a key. Lock the user first, so that concurrent requests never pass a cap together.
 * @throws AppError KEY_CAP_REACHED if a cap is reached, UNAUTHENTICATED if the key was revoked
 */
export async function requireApiKeyCaps(
  transaction: Transaction,
  { apiKeyId, month, jobIds, credits }: ApiKeyUse & { credits: number },
): Promise<void> {
  const answer = await queryRow(
    transaction,
    z.object({ reason: apiKeyRefusalSchema.nullable() }),
    `SELECT api_key_refusal($1, $2, $3, $4) AS reason`,
    [apiKeyId, month, jobIds.length, credits],
  );
  if (answer?.reason) throw apiKeyRefused(answer.reason, month);
}

export async function recordApiKeyUse(
  transaction: Transaction,
  { apiKeyId, month, jobIds }: ApiKeyUse,
): Promise<void> {
  await execute(transaction, `SELECT record_api_key_use($1, $2, $3)`, [apiKeyId, month, jobIds]);
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
