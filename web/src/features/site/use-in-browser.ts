import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * What only the browser knows, such as the date: null in a page that is drawn beforehand and while that page is taken
 * over, which has to find what was drawn.
 * @param read gives the same primitive value each time
 */
export const useInBrowser = <T extends string | number | boolean>(read: () => T): T | null =>
  useSyncExternalStore(never, read, () => null);
