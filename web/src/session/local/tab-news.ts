/** Tells the other tabs of this browser that somebody signed in or out; they look at the session again. */
export function createTabNews(onNews: () => void): { tell: () => void; close: () => void } {
  if (!('BroadcastChannel' in window)) return { tell: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel('pressroom-session');
  channel.addEventListener('message', onNews);
  return { tell: () => channel.postMessage('changed'), close: () => channel.close() };
}
