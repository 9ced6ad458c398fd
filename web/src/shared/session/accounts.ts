import { createContext, use, type ComponentType } from 'react';
import type { GetToken } from '../http/http';

export interface SignedInUser {
  id: string;
  fullName: string;
  email: string | null;
  imageUrl: string | null;
}

/** What keeps a provider from working, in its own words. */
export interface Trouble {
  title: string;
  text: string;
}

/** Who is here, by whatever provider the server is set up with. */
export interface Accounts {
  /** `degraded`: the provider answers with errors; `error`: it cannot be reached. It is tried again by itself. */
  status: 'loading' | 'ready' | 'degraded' | 'error';
  /** Why `status` is `degraded` or `error`, where the provider knows more than that. */
  trouble?: Trouble | null;
  user: SignedInUser | null;
  /** Why nobody is here any more, unless the user left in this tab. */
  left?: 'expired' | 'elsewhere' | 'removed' | null;
  /** The bearer token of the API, null when signed out. Rejects when the provider cannot be reached. */
  getToken: GetToken;
  /** Opens the sign-in dialog. */
  openSignIn: () => void;
  /** Opens the account profile. */
  openProfile: () => void;
  signOut: () => Promise<void>;
  /** Tries at once what is tried again by itself while `status` is `degraded` or `error`. */
  tryAgain?: () => void;
  /** The provider's sign-in form, for a page that stands in for what needs a user. */
  SignInPanel: ComponentType;
  /** The provider's own plans and the way to each, for a section of the start page; it may suspend. */
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
