import { useEffect, useState } from 'react';

/** Clerk says itself that its scripts are missing, but only after its own patience. */
const SLOW_MS = 6_000;

/**
 * Why Clerk's scripts are not there yet: the browser refused one or could not fetch it (`blocked`), or they take
 * unusually long (`slow`). Null while all is well.
 * @param waiting whether they are still waited for
 */
export function useScriptTrouble(waiting: boolean): 'blocked' | 'slow' | null {
  const [trouble, setTrouble] = useState<'blocked' | 'slow' | null>(null);
  useEffect(() => {
    if (!waiting) return;
    // A resource's error does not bubble, but it can be caught on its way down.
    const onError = ({ target }: Event) => {
      if (target instanceof HTMLScriptElement && target.hasAttribute('data-clerk-publishable-key'))
        setTrouble('blocked');
    };
    window.addEventListener('error', onError, true);
    const timer = setTimeout(() => setTrouble((known) => known ?? 'slow'), SLOW_MS);
    return () => {
      window.removeEventListener('error', onError, true);
      clearTimeout(timer);
      setTrouble(null);
    };
  }, [waiting]);
  return trouble;
}
