import type { ClerkConfig } from '#libs/config/clerk.js';
import { clerkUserSchema, toProfile, type ClerkProfile } from './profile.js';

/** What we ask of Clerk's Backend API. Every call may fail with a {@link ClerkRefusal}. */
export interface ClerkApi {
  readUser(userId: string): Promise<ClerkProfile>;
  /** Writes `free_usage` into the private metadata and leaves the rest of it. */
  tellUsage(userId: string, usage: number): Promise<ClerkProfile>;
  deleteUser(userId: string): Promise<void>;
}

/** Why a call did not succeed, without what it sent. */
export class ClerkRefusal extends Error {
  override name = 'ClerkRefusal';

  /**
   * @param status of the answer; null: there was none, or none that can be used
   * @param retryAfterSeconds as Clerk asks for
   */
  constructor(
    readonly status: number | null,
    readonly retryAfterSeconds: number | null = null,
    cause?: unknown,
  ) {
    super(
      status === null
        ? 'Clerk (CLERK_SECRET_KEY) gave no answer'
        : `Clerk (CLERK_SECRET_KEY) answered ${status}`,
      {
        cause,
      },
    );
  }
}

/** The version of the Backend API that the users we read are of. */
const VERSION = '2026-05-12';
/** Milliseconds after which an answer is not waited for any more. */
const PATIENCE = 10_000;

/**
 * Three calls by `fetch` itself: Clerk's own client never gives up waiting, and fails at a user who lacks a field that
 * we do not read.
 */
export function createClerkApi({ secretKey, apiUrl }: Pick<ClerkConfig, 'secretKey' | 'apiUrl'>): ClerkApi {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
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
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (!answer.ok) throw new ClerkRefusal(answer.status, secondsIn(answer.headers.get('retry-after')));
      return await answer.json();
    } catch (error) {
      throw error instanceof ClerkRefusal ? error : new ClerkRefusal(null, null, error);
    }
  };
  const userPath = (userId: string) => `/users/${encodeURIComponent(userId)}`;
  return {
    readUser: async (userId) => read(await ask('GET', userPath(userId))),
    tellUsage: async (userId, usage) =>
      read(await ask('PATCH', `${userPath(userId)}/metadata`, { private_metadata: { free_usage: usage } })),
    deleteUser: async (userId) => void (await ask('DELETE', userPath(userId))),
  };
}

function read(answer: unknown): ClerkProfile {
  const user = clerkUserSchema.safeParse(answer);
  if (!user.success) throw new ClerkRefusal(null, null, user.error);
  return toProfile(user.data, user.data.updated_at ?? 0);
}

const secondsIn = (retryAfter: string | null) =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
