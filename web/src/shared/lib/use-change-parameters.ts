import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Changes parameters of the address and leaves the others, also where two are changed one after the other. */
export function useChangeParameters(): (changes: Record<string, string | null>) => void {
  const [, setParameters] = useSearchParams();
  return useCallback(
    (changes) => {
      // The router's own are those of the last render.
      const parameters = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) parameters.delete(name);
        else parameters.set(name, value);
      }
      setParameters(parameters, { replace: true });
    },
    [setParameters],
  );
}
