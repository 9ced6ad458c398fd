import type { Account } from '#libs/contract/account.js';

/** Publishes changes of accounts and sessions to the user's open pages. Call it after the commit. Never throws. */
export abstract class AccountEvents {
  /** Reads the user's plan, credits and storage, and publishes them. */
  abstract accountChanged(userId: string): Promise<void>;

  /** Publishes an account that the caller has already read. */
  abstract publishAccount(userId: string, account: Account): void;

  /**
   * Invalidates the session's tokens and closes its sockets.
   * @param isRevoked true if another session or a new password ended it. Then all open pages of the user are asked for a new
   *   token, which pages of the ended session cannot get, so they sign out.
   */
  abstract sessionEnded(session: { id: string; userId: string }, isRevoked: boolean): void;
}
