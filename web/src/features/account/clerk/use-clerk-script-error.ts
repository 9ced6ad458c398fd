import { useEffect, useState } from 'react';

/** Time after which scripts count as slow. Shorter than Clerk's own timeout for missing scripts. */
const SLOW_MS = 6_000;

/**
 * Tells why Clerk's scripts are not loaded: `blocked` if the browser blocked or could not fetch a script, `slow` if they
 * take unusually long, otherwise null.
 * @param loading true while Clerk is loading
 */
export function useClerkScriptError(loading: boolean): 'blocked' | 'slow' | null {
  const [error, setError] = useState<'blocked' | 'slow' | null>(null);
  useEffect(() => {
    if (!loading) return;
    // Error events of resources don't bubble, so listen in the capture phase.
    const onError = ({ target }: Event) => {
      if (target instanceof HTMLScriptElement && target.hasAttribute('data-clerk-publishable-key'))
        setError('blocked');
    };
    window.addEventListener('error', onError, true);
    const timer = setTimeout(() => setError((known) => known ?? 'slow'), SLOW_MS);
    return () => {
      window.removeEventListener('error', onError, true);
      clearTimeout(timer);
      setError(null);
    };
  }, [loading]);
  return error;
}
