import { useSyncExternalStore } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import { ignoreErrors } from '../../shared/lib/ignore-errors';

// Browser notifications for long jobs that end while no tab is visible. Off by default.

const ENABLED_KEY = 'notify-of-work';
const NOTIFIED_KEY = 'notified-of-work';
const LOCK_NAME = 'notified-of-work';
/** Minimum time from submission to end of jobs that get a notification. */
const LONG_MS = 10_000;
/** Delay of hidden tabs, so that a visible tab can claim the job first. */
const HIDDEN_WAIT_MS = 400;
const MAX_REMEMBERED = 50;

const listeners = new Set<() => void>();

/** `denied` if the user or a policy blocks notifications; `off` if the user has not enabled them in Pressroom. */
export type NotificationState = 'unsupported' | 'denied' | 'off' | 'on';

function state(): NotificationState {
  if (!('Notification' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && stored(ENABLED_KEY) === 'true' ? 'on' : 'off';
}

/** Call this only from a user action, since the browser may ask for permission. */
export async function setNotificationsEnabled(enabled: boolean): Promise<void> {
  if (enabled && Notification.permission === 'default') await Notification.requestPermission();
  store(ENABLED_KEY, String(enabled));
  for (const listener of listeners) listener();
}

export interface EndNotice {
  id: string;
  title: string;
  body: string;
}

/** Shows a notification about the end of a job, unless the job was short or cancelled. See {@link notifyEnd}. */
export async function notifyJobEnd(job: Job, label: string, open: () => void): Promise<void> {
  const { id, status, title, error } = job;
  const isDone = status === 'succeeded';
  const notice = {
    id,
    title: `${label}: ${isDone ? 'done' : 'failed'}`,
    body: isDone ? title : `${title}\n${error?.message ?? ''}`.trim(),
  };
  await notifyEnd(notice, isLong(job) && status !== 'cancelled', open);
}

/**
 * Shows a notification in only one of the open tabs, and in none if a tab is visible.
 * @param isWanted false to only prevent other tabs from notifying
 */
export async function notifyEnd(notice: EndNotice, isWanted: boolean, open: () => void): Promise<void> {
  if (document.hidden) {
    if (state() !== 'on' || !isWanted) return;
    await new Promise((resolve) => setTimeout(resolve, HIDDEN_WAIT_MS));
    if (await claim(notice.id)) show(notice, open);
  } else {
    await claim(notice.id);
  }
}

const isLong = ({ createdAt, finishedAt }: Job) =>
  finishedAt !== null && Date.parse(finishedAt) - Date.parse(createdAt) > LONG_MS;

function show({ id, title, body }: EndNotice, open: () => void): void {
  try {
    const notification = new Notification(title, { body, icon: '/icon.svg', tag: id });
    notification.onclick = () => {
      notification.close();
      window.focus();
      open();
    };
  } catch {
    // Ignored: mobile browsers allow notifications only from service workers.
  }
}

/**
 * Returns true if this tab is the first to claim the ID. Tabs get the event at the same time, and a write to storage can
 * reach other tabs late, so a lock decides; the tab holds the lock until it closes. On plain HTTP, where browsers have no
 * locks, the notification's `tag` prevents duplicates.
 */
async function claim(id: string): Promise<boolean> {
  if (!('locks' in navigator)) return remember(id);
  return new Promise((resolve) => {
    void navigator.locks.request(`${LOCK_NAME}:${id}`, { ifAvailable: true }, (lock) => {
      const isFirst = lock !== null && remember(id);
      resolve(isFirst);
      return isFirst ? new Promise(() => {}) : undefined;
    });
  });
}

/** Adds the ID to the list in local storage. @returns false if the list already has the ID */
function remember(id: string): boolean {
  const notified = stored(NOTIFIED_KEY)?.split(',') ?? [];
  if (notified.includes(id)) return false;
  store(NOTIFIED_KEY, [...notified, id].slice(-MAX_REMEMBERED).join(','));
  return true;
}

const stored = (key: string) => ignoreErrors(() => localStorage.getItem(key));
const store = (key: string, value: string) => ignoreErrors(() => localStorage.setItem(key, value));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useNotificationState = (): NotificationState => useSyncExternalStore(subscribe, state);
