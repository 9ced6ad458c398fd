import toast from 'react-hot-toast';
import { ApiFailure } from '../../../shared/http/http';
import { paths } from '../../../shared/paths';
import type { Accounts } from '../../../shared/session/accounts';
import { ClerkPart, type Clerk } from './clerk-part';
import { clerkTrouble } from './clerk-trouble';

type Actions = Omit<Accounts, 'status' | 'trouble' | 'user' | 'left' | 'tryAgain'>;

/** What a user and the page can do with Clerk's session; always the same for one Clerk. */
export function clerkActions(clerk: Clerk, { onLeaving }: { onLeaving: (now: boolean) => void }): Actions {
  /** After signing in or up the user goes on where they are. */
  const here = () => {
    const url = window.location.pathname + window.location.search;
    return { fallbackRedirectUrl: url, signUpFallbackRedirectUrl: url, withSignUp: true };
  };
  const mountSignIn = (place: HTMLDivElement) => clerk.mountSignIn(place, { ...here(), routing: 'hash' });
  const unmountSignIn = (place: HTMLDivElement) => clerk.unmountSignIn(place);
  const mountPlans = (place: HTMLDivElement) =>
    clerk.mountPricingTable(place, { for: 'user', newSubscriptionRedirectUrl: paths.dashboard });
  const unmountPlans = (place: HTMLDivElement) => clerk.unmountPricingTable(place);
  return {
    getToken: async ({ fresh = false } = {}) => {
      try {
        return (await clerk.session?.getToken({ skipCache: fresh })) ?? null;
      } catch (cause) {
        throw new ApiFailure(
          'UNREACHABLE',
          'Your sign-in cannot be checked just now. Try again in a moment.',
          { status: 0, cause },
        );
      }
    },
    openSignIn: () => clerk.openSignIn(here()),
    openProfile: () => {
      // Clerk that started without its API has nothing to draw it with.
      if (clerk.status === 'degraded') toast.error(clerkTrouble.degraded.title);
      else clerk.openUserProfile();
    },
    signOut: async () => {
      onLeaving(true);
      try {
        await clerk.signOut({ redirectUrl: paths.landing });
      } catch (error) {
        onLeaving(false);
        throw error;
      }
    },
    SignInPanel: () => <ClerkPart loading="Loading sign-in" mount={mountSignIn} unmount={unmountSignIn} />,
    PricingTable: () => (
      <ClerkPart className="w-full" loading="Loading the plans" mount={mountPlans} unmount={unmountPlans} />
    ),
  };
}
