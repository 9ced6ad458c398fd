import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { deleteSessionCookie } from 'better-auth/cookies';
import type pg from 'pg';
import { addToLogContext } from '#libs/observability/log-context.js';
import { SUSPENSION, suspensionMessage } from '../suspension.js';
import { sessionOf, textOf } from './hook-context.js';

export const SESSION_SECONDS = 30 * 86_400;

/** A sign-in ends the sessions beyond it that were used longest ago. better-auth lists and ends 100 sessions of a user at most. */
const MAX_SESSIONS = 100;

/** A browser's name has about 150 characters. */
const USER_AGENT_MAX_CHARACTERS = 300;

export const sessionOptions = {
  modelName: 'auth_sessions',
  expiresIn: SESSION_SECONDS,
  // Updates a session's time of last use at most once an hour.
  updateAge: 3_600,
  // Disables the freshness check. Otherwise better-auth refuses to list sessions a day after the sign-in.
  freshAge: 0,
  additionalFields: { method: { type: 'string', required: false, input: false } },
} satisfies BetterAuthOptions['session'];

interface Options {
  pool: pg.Pool;
  /** `isRevoked`: true if another session or a new password ended the session; false for a sign-out. */
  onSessionEnded?: (session: { id: string; userId: string }, isRevoked: boolean) => void;
}

const END_OLD_SESSIONS = `DELETE FROM auth_sessions WHERE "id" IN (
  SELECT "id" FROM auth_sessions WHERE "userId" = $1 ORDER BY "updatedAt" DESC, "id" OFFSET ${MAX_SESSIONS}) RETURNING "id"`;

const REVOKING = /^\/(revoke-|change-password|reset-password|two-factor\/)/;

export function sessionHooks({ pool, onSessionEnded }: Options) {
  return {
    create: {
      before: async (session, context) => ({
        data: {
          ...session,
          userAgent: session.userAgent?.slice(0, USER_AGENT_MAX_CHARACTERS),
          method: sessionMethod(context?.path, context?.context.session?.session.method),
        },
      }),
      after: async ({ userId }) => {
        addToLogContext({ userId });
        const { rows } = await pool.query<{ id: string }>(END_OLD_SESSIONS, [userId]);
        for (const { id } of rows) onSessionEnded?.({ id, userId }, true);
      },
    },
    delete: {
      after: async ({ id, userId }, context) => {
        const path = context?.path ?? '';
        // Adding or removing an authenticator app replaces the caller's own session, so its pages must not be signed out.
        if (path.startsWith('/two-factor/') && id === context?.context.session?.session.id) return;
        const isRevoked = REVOKING.test(path);
        onSessionEnded?.({ id, userId }, isRevoked);
        // Ends all sessions of the operator's queue board, because they do not record which session opened them.
        if (isRevoked) await pool.query(`DELETE FROM admin_sessions WHERE user_id = $1`, [userId]);
      },
    },
  } satisfies NonNullable<BetterAuthOptions['databaseHooks']>['session'];
}

/** @returns `passkey` if a passkey started the session, or the session that it replaces; otherwise null */
function sessionMethod(path: string | undefined, previous: unknown): string | null {
  return path === '/passkey/verify-authentication' || previous === 'passkey' ? 'passkey' : null;
}

/**
 * Ends the previous session when a sign-in replaces it, sessions that better-auth starts for a confirmation link, and new
 * ones of suspended users. Runs after the transaction of the sign-in, so it may take another connection.
 */
export const endRedundantSessions = (pool: pg.Pool) =>
  createAuthMiddleware(async (context) => {
    const { newSession, session, internalAdapter, authCookies, secret } = context.context;
    if (!newSession) return;
    const endNewSession = async () => {
      await internalAdapter.deleteSession(newSession.session.token);
      deleteSessionCookie(context, true);
      context.context.setNewSession(null);
    };
    if (context.path === '/verify-email' && !session) {
      // Opening a link must not sign in: it proves neither the password nor a second factor.
      return endNewSession();
    }
    const { rows } = await pool.query<{ suspended_reason: string | null }>(SUSPENSION, [newSession.user.id]);
    const [suspension] = rows;
    if (suspension) {
      await endNewSession();
      const message = suspensionMessage(suspension.suspended_reason);
      throw new APIError('FORBIDDEN', { code: 'ACCOUNT_SUSPENDED', message });
    }
    const former = await context.getSignedCookie(authCookies.sessionToken.name, secret);
    if (former && former !== newSession.session.token) await internalAdapter.deleteSession(former);
  });

/**
 * Plugin that replaces session tokens by session ids in the API. With the tokens, anyone who gets access to one session
 * could take over the user's other sessions.
 */
export function sessionIds(pool: pg.Pool) {
  const tokenOf = async (id: string, userId: string) => {
    const { rows } = await pool.query<{ token: string }>(
      `SELECT "token" FROM auth_sessions WHERE "id" = $1 AND "userId" = $2`,
      [id, userId],
    );
    return rows[0]?.token ?? '';
  };
  return {
    id: 'session-ids',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/revoke-session',
          handler: createAuthMiddleware(async (context) => {
            const id = textOf(context.body, 'id');
            const session = id === undefined ? null : await sessionOf(context);
            if (!id || !session) return;
            return { context: { body: { token: await tokenOf(id, session.user.id) } } };
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/list-sessions',
          handler: createAuthMiddleware(async (context) => {
            const { returned } = context.context;
            if (!Array.isArray(returned)) return;
            return context.json(returned.map((session: object) => ({ ...session, token: undefined })));
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
