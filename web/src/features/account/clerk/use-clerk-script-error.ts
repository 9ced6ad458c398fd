import { useEffect, useState } from 'react';

/** Clerk reports missing scripts too, but only after a longer timeout. */
const SLOW_MS = 6_000;

/**
 * Why Clerk's scripts are not loaded: the browser blocked one or could not fetch it (`blocked`), or they take unusually
 * long (`slow`). Null otherwise.
 * @param loading whether Clerk still loads
 */
export function useClerkScriptError(loading: boolean): 'blocked' | 'slow' | null {
  const [error, setError] = useState<'blocked' | 'slow' | null>(null);
  useEffect(() => {
    if (!loading) return;
    // The error event of a resource does not bubble; it can only be captured.
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
