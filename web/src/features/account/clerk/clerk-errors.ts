import type { AccountsError } from '../../../shared/account/accounts';

const CLERK = 'Clerk, the service that keeps the accounts here,';
const RETRIED =
  'Your work is safe, and the start page and published images stay open. This page tries again every few seconds and goes on by itself.';

/** The texts for the user, by the way in which Clerk fails. */
export const clerkErrors = {
  blocked: {
    title: 'Sign-in could not be loaded',
    text: `${CLERK} did not get through to this browser. A content blocker, a strict network or a lost connection may hold it back: allow it for this page. ${RETRIED}`,
  },
  slow: { title: 'Sign-in is taking long', text: `${CLERK} has not arrived yet. ${RETRIED}` },
  degraded: { title: 'Sign-in is not answering', text: `${CLERK} answers with errors. ${RETRIED}` },
} satisfies Record<string, AccountsError>;
