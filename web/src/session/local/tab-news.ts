export interface TabNews {
  /** Tells the other tabs that somebody signed in or out here. */
  tell: () => void;
  close: () => void;
}

/** Hears when somebody signs in or out in another tab of this browser; the session is then to be looked at again. */
export function openTabNews(onNews: () => void): TabNews {
  const channel = new BroadcastChannel('pressroom-session');
  channel.addEventListener('message', onNews);
  return { tell: () => channel.postMessage('changed'), close: () => channel.close() };
}
