import type { ClerkConfig } from '#libs/config/clerk.js';
import { clerkUserSchema, toProfile, type ClerkProfile } from './profile.js';

/** The endpoints of Clerk's Backend API that we use. Each may throw a {@link ClerkApiError}. */
export interface ClerkApi {
  readUser(userId: string): Promise<ClerkProfile>;
  /** Sets `free_usage` in the user's private metadata. */
  reportUsage(userId: string, usage: number): Promise<ClerkProfile>;
  deleteUser(userId: string): Promise<void>;
}

export class ClerkApiError extends Error {
  override name = 'ClerkApiError';

  /**
   * @param status HTTP status; null if there was no response, or it could not be parsed
   * @param retryAfterSeconds Clerk's `Retry-After`
   */
  constructor(
    readonly status: number | null,
    readonly retryAfterSeconds: number | null = null,
    cause?: unknown,
  ) {
    super(`Clerk (CLERK_SECRET_KEY) ${status === null ? 'gave no answer' : `answered ${status}`}`, { cause });
  }
}

/** The version of the Backend API that our schemas describe. */
const VERSION = '2026-05-12';
const TIMEOUT_MS = 10_000;

/** Uses `fetch`, because Clerk's own client has no timeout and rejects users that lack fields, even unused ones. */
export function createClerkApi({ secretKey, apiUrl }: Pick<ClerkConfig, 'secretKey' | 'apiUrl'>): ClerkApi {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    try {
      const answer = await fetch(`${apiUrl}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${secretKey}`,
          'Clerk-API-Version': VERSION,
          'Content-Type': 'application/json',
        },
        body: body && JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new ClerkApiError(answer.status, secondsIn(answer.headers.get('retry-after')));
      return await answer.json();
    } catch (error) {
      throw error instanceof ClerkApiError ? error : new ClerkApiError(null, null, error);
    }
  };
  const userPath = (userId: string) => `/users/${encodeURIComponent(userId)}`;
  return {
    readUser: async (userId) => read(await call('GET', userPath(userId))),
    reportUsage: async (userId, usage) =>
      read(await call('PATCH', `${userPath(userId)}/metadata`, { private_metadata: { free_usage: usage } })),
    deleteUser: async (userId) => void (await call('DELETE', userPath(userId))),
  };
}

function read(answer: unknown): ClerkProfile {
  const user = clerkUserSchema.safeParse(answer);
  if (!user.success) throw new ClerkApiError(null, null, user.error);
  return toProfile(user.data, user.data.updated_at ?? 0);
}

const secondsIn = (retryAfter: string | null) =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
