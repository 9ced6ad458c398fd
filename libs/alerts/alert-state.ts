import type { AlertEntity, AlertStatus } from '#libs/database/entities/alerts.js';
import { alertRules, type AlertName } from './alert-rules.js';
import type { ReceiverName } from './receivers.js';

/** Milliseconds after which an alert that no program saw is resolved. Programs look every 15 seconds. */
export const RESOLVE_AFTER_MS = 120_000;
/** The same for an alert that has not fired yet. */
const FORGET_AFTER_MS = 40_000;
/** Milliseconds after which an alert is forgotten whose receivers cannot be told that it is resolved. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** Milliseconds after which a receiver is told again that an alert is firing. */
export const REPEAT_AFTER_MS = 4 * 3_600_000;

/**
 * The next status of an alert. Null if it is to be deleted: it never fired, or all receivers got the
 * resolved message, or a day has passed.
 */
export function nextStatus(
  {
    name,
    status,
    startsAt,
    seenAt,
    endsAt,
    sent,
  }: Pick<AlertEntity, 'name' | 'status' | 'startsAt' | 'seenAt' | 'endsAt' | 'sent'>,
  now: number,
): AlertStatus | null {
  const unseenMs = now - seenAt.getTime();
  if (status === 'pending') {
    if (unseenMs >= FORGET_AFTER_MS) return null;
    return seenAt.getTime() - startsAt.getTime() >= secondsOf(name) * 1_000 ? 'firing' : 'pending';
  }
  if (unseenMs < RESOLVE_AFTER_MS) return 'firing';
  const isAwaited = Object.values(sent).some((one) => one.status === 'firing');
  const resolvedMs = endsAt === null ? 0 : now - endsAt.getTime();
  return isAwaited && resolvedMs < GIVE_UP_AFTER_MS ? 'resolved' : null;
}

/** True if a receiver must be told of an alert's status. */
export function isDue(
  { status, sent }: Pick<AlertEntity, 'status' | 'sent'>,
  receiver: ReceiverName,
  now: number,
): boolean {
  const last = sent[receiver];
  if (status === 'resolved') return last?.status === 'firing';
  if (status === 'pending') return false;
  return last?.status !== 'firing' || now - Date.parse(last.at) >= REPEAT_AFTER_MS;
}

const secondsOf = (name: string) => (name in alertRules ? alertRules[name as AlertName].forSeconds : 0);
