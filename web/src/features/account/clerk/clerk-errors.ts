import type { AccountsError } from '../../../shared/account/accounts';

const CLERK = 'The sign-in service (Clerk)';
const RETRIED = 'Your work is safe. This page retries every few seconds.';

/** Error texts for the user, by the way in which Clerk fails. */
export const clerkErrors = {
  blocked: {
    title: 'Sign-in could not be loaded',
    text: `${CLERK} could not be loaded. A content blocker, your network or a lost connection may be blocking it: allow it for this page. ${RETRIED}`,
  },
  slow: { title: 'Sign-in is slow', text: `${CLERK} has not loaded yet. ${RETRIED}` },
  degraded: { title: 'Sign-in is unavailable', text: `${CLERK} responds with errors. ${RETRIED}` },
} satisfies Record<string, AccountsError>;
