import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** A value that only the browser has, such as the date; null while prerendering and hydrating. */
export const useClientValue = <T extends string | number | boolean>(read: () => T): T | null =>
  useSyncExternalStore(subscribe, read, () => null);
