import { useEffect } from 'react';
import type { Clerk } from './clerk-mount';

const CHECK_MS = 3_000;

/**
 * Reloads the page once Clerk's API works again, because Clerk does not recover by itself if its API failed while Clerk
 * loaded. A visible page of a signed-in user is not reloaded, since everything else on the page works.
 */
export function useReloadOnRecovery(clerk: Clerk, degraded: boolean, signedIn: boolean): void {
  useEffect(() => {
    if (!degraded) return;
    const check = async () => {
      const base = clerk.proxyUrl || `https://${frontendApi(clerk.publishableKey)}`;
      const responses = await Promise.all(
        ['environment', 'client'].map((path) =>
          fetch(`${base}/v1/${path}`, { credentials: 'include', cache: 'no-store' }).then(
            ({ status }) => status < 500,
            () => false,
          ),
        ),
      );
      if (responses.every(Boolean) && !(signedIn && document.visibilityState === 'visible'))
        window.location.reload();
    };
    const timer = setInterval(() => void check(), CHECK_MS);
    return () => clearInterval(timer);
  }, [clerk, degraded, signedIn]);
}

/** Reads the Frontend API's host from a publishable key, `pk_live_<Base64 of host and dollar sign>`. */
const frontendApi = (publishableKey: string) => atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '');
