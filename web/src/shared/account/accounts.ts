import { createContext, use, type ComponentType } from 'react';
import type { GetToken } from '../http/http';

export interface SignedInUser {
  id: string;
  fullName: string;
  email: string | null;
  imageUrl: string | null;
}

/** Why the account provider does not work, as text for the user. */
export interface AccountsError {
  title: string;
  text: string;
}

/** The session and account actions of the configured provider (local accounts or Clerk). */
export interface Accounts {
  /** `degraded`: the provider responds with errors; `error`: it cannot be reached. Both are retried automatically. */
  status: 'loading' | 'ready' | 'degraded' | 'error';
  /** Details of `degraded` or `error`, if the provider has any. */
  error?: AccountsError | null;
  user: SignedInUser | null;
  /** Why the user was signed out, unless they did so in this tab. */
  signOutReason?: 'expired' | 'other-tab' | 'deleted' | null;
  /** The bearer token for the API, null when signed out. Rejects when the provider cannot be reached. */
  getToken: GetToken;
  openSignIn: () => void;
  /** @param section the section to open; Clerk's profile ignores it */
  openProfile: (section?: 'security') => void;
  signOut: () => Promise<void>;
  /** Retries at once while `status` is `degraded` or `error`. */
  retry?: () => void;
  /** `isNewcomer`: starts with sign-up, if the provider supports that. */
  SignInPanel: ComponentType<{ isNewcomer?: boolean }>;
  /** The provider's plans with the way to buy them. May suspend. */
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
