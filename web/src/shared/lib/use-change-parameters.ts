import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/**
 * Changes some parameters of the URL, also in several calls before the next render. Does nothing once
 * navigation to another page has started: a change would cancel it.
 */
export function useChangeParameters(): (changes: Record<string, string | null>) => void {
  const [, setParameters] = useSearchParams();
  const { pathname } = useLocation();
  return useCallback(
    (changes) => {
      if (window.location.pathname !== pathname) return;
      // The router's parameters are those of the last render.
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
