import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/**
 * Changes parameters of the address and leaves the others, also where two are changed one after the other. Does nothing once
 * another page is on its way: this one is shown until that has loaded, and a change would lead back to it.
 */
export function useChangeParameters(): (changes: Record<string, string | null>) => void {
  const [, setParameters] = useSearchParams();
  const { pathname } = useLocation();
  return useCallback(
    (changes) => {
      if (window.location.pathname !== pathname) return;
      // The router's own are those of the last render.
      const parameters = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) parameters.delete(name);
        else parameters.set(name, value);
      }
      setParameters(parameters, { replace: true });
    },
    [setParameters, pathname],
  );
}
