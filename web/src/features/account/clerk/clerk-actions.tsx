import toast from 'react-hot-toast';
import { ApiFailure } from '../../../shared/http/http';
import { paths } from '../../../shared/paths';
import type { Accounts } from '../../../shared/account/accounts';
import { ClerkMount, type Clerk } from './clerk-mount';
import { clerkErrors } from './clerk-errors';

type Actions = Omit<Accounts, 'status' | 'error' | 'user' | 'signOutReason' | 'retry'>;

export function clerkActions(
  clerk: Clerk,
  { onSigningOut }: { onSigningOut: (signingOut: boolean) => void },
): Actions {
  const returnHere = () => {
    const url = window.location.pathname + window.location.search;
    return { fallbackRedirectUrl: url, signUpFallbackRedirectUrl: url, withSignUp: true };
  };
  const mountSignIn = (element: HTMLDivElement) =>
    clerk.mountSignIn(element, { ...returnHere(), routing: 'hash' });
  const unmountSignIn = (element: HTMLDivElement) => clerk.unmountSignIn(element);
  const mountPlans = (element: HTMLDivElement) =>
    clerk.mountPricingTable(element, { for: 'user', newSubscriptionRedirectUrl: paths.dashboard });
  const unmountPlans = (element: HTMLDivElement) => clerk.unmountPricingTable(element);
  return {
    getToken: async ({ fresh = false } = {}) => {
      try {
        return (await clerk.session?.getToken({ skipCache: fresh })) ?? null;
      } catch (cause) {
        throw new ApiFailure('UNREACHABLE', 'Your sign-in could not be checked. Try again in a moment.', {
          status: 0,
          cause,
        });
      }
    },
    openSignIn: () => clerk.openSignIn(returnHere()),
    openProfile: () => {
      // While Clerk's API fails (`degraded`), Clerk cannot render the profile.
      if (clerk.status === 'degraded') toast.error(clerkErrors.degraded.title);
      else clerk.openUserProfile();
    },
    signOut: async () => {
      onSigningOut(true);
      try {
        await clerk.signOut({ redirectUrl: paths.landing });
      } catch (error) {
        onSigningOut(false);
        throw error;
      }
    },
    SignInPanel: () => <ClerkMount loading="Loading sign-in" mount={mountSignIn} unmount={unmountSignIn} />,
    PricingTable: () => (
      <ClerkMount className="w-full" loading="Loading the plans" mount={mountPlans} unmount={unmountPlans} />
    ),
  };
}
