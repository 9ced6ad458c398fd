import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/**
 * A value that only the browser has, such as the date. Null while prerendering and hydrating, which must match.
 * @param read returns the same primitive value each time
 */
export const useClientValue = <T extends string | number | boolean>(read: () => T): T | null =>
  useSyncExternalStore(subscribe, read, () => null);
