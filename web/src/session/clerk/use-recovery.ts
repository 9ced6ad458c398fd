import { useEffect } from 'react';
import type { Clerk } from './clerk-part';

const LOOK_AGAIN_MS = 5_000;

/**
 * Clerk that started while its API failed does not become whole by itself: once the API answers again, the page is
 * loaded anew. What was typed is kept over that.
 */
export function useRecovery(clerk: Clerk, degraded: boolean): void {
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
      if (answers.every(Boolean)) window.location.reload();
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [clerk, degraded]);
}

/** The host that a publishable key holds in Base64, before a dollar sign. */
const frontendApi = (publishableKey: string) => atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '');
