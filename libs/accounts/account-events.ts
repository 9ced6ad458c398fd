import type { Account } from '#libs/contract/account.js';

/** Publishes changes of accounts and sessions to open pages, after the commit. Never throws. */
export abstract class AccountEvents {
  /** Reads and publishes the user's plan, credits and storage. */
  abstract accountChanged(userId: string): Promise<void>;

  /** Publishes an account that a transaction has just read. */
  abstract publishAccount(userId: string, account: Account): void;

  /**
   * Ends the tokens and sockets of a session. After a revocation, all open pages of the user must get a new token at once,
   * which pages of the ended session cannot. A user who signed out needs no event.
   */
  abstract sessionEnded(session: { id: string; userId: string }, isRevoked: boolean): void;
}
