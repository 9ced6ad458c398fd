/** `changed`: somebody signed in or out; `deleted`: the account was deleted. */
export type SessionEvent = 'changed' | 'deleted';

export interface SessionChannel {
  publish: (event: SessionEvent) => void;
  close: () => void;
}

export function openSessionChannel(onEvent: (event: SessionEvent) => void): SessionChannel {
  const channel = new BroadcastChannel('pressroom-session');
  channel.addEventListener('message', ({ data }: MessageEvent<SessionEvent>) => onEvent(data));
  return { publish: (event) => channel.postMessage(event), close: () => channel.close() };
}
