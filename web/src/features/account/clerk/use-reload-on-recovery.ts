import { useEffect } from 'react';
import type { Clerk } from './clerk-mount';

const CHECK_MS = 3_000;

/**
 * Reloads the page once Clerk's API works again: Clerk that loaded while its API failed does not recover by itself. A
 * page that a signed-in user looks at is not reloaded, since the rest of it works.
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

/** A publishable key contains the host in Base64, followed by a dollar sign. */
const frontendApi = (publishableKey: string) => atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '');
