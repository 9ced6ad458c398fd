import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/**
 * Returns a function that changes query parameters of the URL; null removes a parameter. Several calls before the next
 * render
 * add up. Does nothing once navigation to another page has started, since a change would cancel that navigation.
 */
export function useChangeParameters(): (changes: Record<string, string | null>) => void {
  const [, setParameters] = useSearchParams();
  const { pathname } = useLocation();
  return useCallback(
    (changes) => {
      if (window.location.pathname !== pathname) return;
      // Read the current URL, since the router's parameters are only updated at the next render.
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
