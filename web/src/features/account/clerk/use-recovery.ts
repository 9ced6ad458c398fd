import { useEffect } from 'react';
import type { Clerk } from './clerk-part';

const LOOK_AGAIN_MS = 3_000;

/**
 * Clerk that started while its API failed does not become whole by itself: once the API answers again, the page is
 * loaded anew. Not under the hands of somebody who is signed in, for whom the rest of the page works.
 */
export function useRecovery(clerk: Clerk, degraded: boolean, signedIn: boolean): void {
  useEffect(() => {
    if (!degraded) return;
    const look = async () => {
      const base = clerk.proxyUrl || `https://${frontendApi(clerk.publishableKey)}`;
      const answers = await Promise.all(
        ['environment', 'client'].map((path) =>
          fetch(`${base}/v1/${path}`, { credentials: 'include', cache: 'no-store' }).then(
            ({ status }) => status < 500,
            () => false,
          ),
        ),
      );
      if (answers.every(Boolean) && !(signedIn && document.visibilityState === 'visible'))
        window.location.reload();
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [clerk, degraded, signedIn]);
}

/** The host that a publishable key holds in Base64, before a dollar sign. */
const frontendApi = (publishableKey: string) => atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '');
