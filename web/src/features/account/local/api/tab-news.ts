/** `removed`: the account is gone; `changed`: somebody signed in or out. */
export type News = 'changed' | 'removed';

export interface TabNews {
  /** Tells the other tabs what was done here. */
  publish: (news: News) => void;
  close: () => void;
}

/** Hears what is done in another tab of this browser; the session is then to be looked at again. */
export function openTabNews(onNews: (news: News) => void): TabNews {
  const channel = new BroadcastChannel('pressroom-session');
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => onNews(data));
  return { publish: (news) => channel.postMessage(news), close: () => channel.close() };
}
