import { useSyncExternalStore } from 'react';
import type { Job } from '#libs/contract/jobs.js';

/** Notifications of the browser for long work that ends while nobody looks. Off until a user switches them on. */

const WANTED = 'notify-of-work';
const NOTIFIED = 'notified-of-work';
const LOCK = 'notified-of-work';
/** Work that took longer than this, from its submission, is worth calling somebody back. */
const LONG_MS = 10_000;
/** A tab that is looked at says it first; the others then keep still. */
const HIDDEN_WAIT_MS = 400;
const REMEMBERED = 50;

const listeners = new Set<() => void>();

/** `unsupported`: this browser has none; `denied`: the user or a policy said no to the browser. */
export type NotifyState = 'unsupported' | 'denied' | 'off' | 'on';

function state(): NotifyState {
  if (!('Notification' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && stored(WANTED) === 'true' ? 'on' : 'off';
}

/** Switches them; only here, on the user's own action, the browser asks for permission. */
export async function setNotify(wanted: boolean): Promise<void> {
  if (wanted && Notification.permission === 'default') await Notification.requestPermission();
  store(WANTED, String(wanted));
  for (const listener of listeners) listener();
}

/** Tells of an ended job: in one tab alone, and not at all where somebody looks at Pressroom. */
export async function notifyOfEnd(job: Job, label: string, open: () => void): Promise<void> {
  if (document.hidden) {
    if (state() !== 'on' || !isLong(job) || job.status === 'cancelled') return;
    await new Promise((resolve) => setTimeout(resolve, HIDDEN_WAIT_MS));
    if (await claim(job.id)) show(job, label, open);
  } else {
    await claim(job.id);
  }
}

const isLong = ({ createdAt, finishedAt }: Job) =>
  finishedAt !== null && Date.parse(finishedAt) - Date.parse(createdAt) > LONG_MS;

function show(job: Job, label: string, open: () => void): void {
  const isDone = job.status === 'succeeded';
  try {
    const notification = new Notification(`${label}: ${isDone ? 'done' : 'not finished'}`, {
      body: isDone ? job.title : `${job.title}\n${job.error?.message ?? ''}`.trim(),
      icon: '/icon.svg',
      tag: job.id,
    });
    notification.onclick = () => {
      notification.close();
      window.focus();
      open();
    };
  } catch {
    // Browsers of phones let only a service worker notify.
  }
}

/**
 * Whether this tab is the first to speak of the job. The lock decides among tabs that hear of the end together, since
 * what one writes to storage may reach another only later; it is held until the tab goes, when the storage has long
 * told. Without locks (plain HTTP) the tag still keeps it to one.
 */
async function claim(id: string): Promise<boolean> {
  if (!('locks' in navigator)) return remember(id);
  return new Promise((resolve) => {
    void navigator.locks.request(`${LOCK}:${id}`, { ifAvailable: true }, (lock) => {
      const isFirst = lock !== null && remember(id);
      resolve(isFirst);
      return isFirst ? new Promise(() => {}) : undefined;
    });
  });
}

/** False when some tab had told of it before. */
function remember(id: string): boolean {
  const told = stored(NOTIFIED)?.split(',') ?? [];
  if (told.includes(id)) return false;
  store(NOTIFIED, [...told, id].slice(-REMEMBERED).join(','));
  return true;
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Closed storage: the switch does not stay.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useNotifyState = (): NotifyState => useSyncExternalStore(subscribe, state);
