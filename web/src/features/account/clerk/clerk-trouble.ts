import type { Trouble } from '../../../shared/session/accounts';

const CLERK = 'Clerk, the service that keeps the accounts here,';
const GOES_ON =
  'Your work is safe, and the start page and published images stay open. This page tries again every few seconds and goes on by itself.';

/** What is the matter, in words for the user, for each way in which Clerk fails. */
export const clerkTrouble = {
  blocked: {
    title: 'Sign-in could not be loaded',
    text: `${CLERK} did not get through to this browser. A content blocker, a strict network or a lost connection may hold it back: allow it for this page. ${GOES_ON}`,
  },
  slow: { title: 'Sign-in is taking long', text: `${CLERK} has not arrived yet. ${GOES_ON}` },
  degraded: { title: 'Sign-in is not answering', text: `${CLERK} answers with errors. ${GOES_ON}` },
} satisfies Record<string, Trouble>;
