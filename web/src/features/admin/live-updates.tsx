import { createContext, use, useMemo, useState, type ReactNode } from 'react';

interface LiveUpdates {
  isLive: boolean;
  setLive: (isLive: boolean) => void;
}

const Context = createContext<LiveUpdates>({ isLive: true, setLive: () => undefined });

/** Whether the pages of operators read their data again and again. */
export function LiveUpdatesProvider({ children }: { children: ReactNode }) {
  const [isLive, setLive] = useState(true);
  return <Context value={useMemo(() => ({ isLive, setLive }), [isLive])}>{children}</Context>;
}

export const useLiveUpdates = () => use(Context);
