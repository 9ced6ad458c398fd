import { createContext, use, type ComponentType } from 'react';
import type { GetToken } from '../http/http';

export interface SignedInUser {
  id: string;
  fullName: string;
  email: string | null;
  imageUrl: string | null;
}

/** Text for the user about why the account provider doesn't work. */
export interface AccountsError {
  title: string;
  text: string;
}

/** Session and account actions, implemented by the configured provider (local accounts or Clerk). */
export interface Accounts {
  /** `degraded` if the provider responds with errors, `error` if it can't be reached. Both are retried automatically. */
  status: 'loading' | 'ready' | 'degraded' | 'error';
  /** Details about the status `degraded` or `error`, if the provider has any. */
  error?: AccountsError | null;
  user: SignedInUser | null;
  /** Reason for which the user was signed out; null if the user signed out in this tab. */
  signOutReason?: 'expired' | 'other-tab' | 'deleted' | null;
  /**
   * Resolves to the bearer token for the API, or to null if nobody is signed in. Rejects if the provider can't be reached.
   */
  getToken: GetToken;
  openSignIn: () => void;
  /** @param section the section to open; ignored by Clerk */
  openProfile: (section?: 'security') => void;
  signOut: () => Promise<void>;
  /** Retries immediately. Call it while `status` is `degraded` or `error`. */
  retry?: () => void;
  /** Sign-in form. `isNewcomer` shows sign-up first, if the provider supports it. */
  SignInPanel: ComponentType<{ isNewcomer?: boolean }>;
  /** The provider's table of plans with buttons to buy them. May suspend. */
  PricingTable: ComponentType;
}

export const loadingAccounts: Accounts = {
  status: 'loading',
  user: null,
  getToken: async () => null,
  openSignIn: () => undefined,
  openProfile: () => undefined,
  signOut: async () => undefined,
  SignInPanel: () => null,
  PricingTable: () => null,
};

export const AccountsContext = createContext<Accounts>(loadingAccounts);

export const useAccounts = (): Accounts => use(AccountsContext);
