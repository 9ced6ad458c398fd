import { Logger } from '@nestjs/common';

const SUPPRESS_FOR = 60_000;
/** Messages that begin alike are the same. */
const COMPARED_LENGTH = 200;
const MAX_MESSAGES = 100;

/**
 * Creates a listener for 'error' events that logs the errors. Logs the same message only once a minute, because an
 * unavailable service causes the same error again and again; and at most {@link MAX_MESSAGES} a minute.
 */
export function logErrors(name: string): (error: Error) => void {
  const logger = new Logger(name);
  const loggedAt = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    for (const [message, at] of loggedAt) if (now - at > SUPPRESS_FOR) loggedAt.delete(message);
    const key = error.message.slice(0, COMPARED_LENGTH);
    if (loggedAt.has(key) || loggedAt.size >= MAX_MESSAGES) return;
    loggedAt.set(key, now);
    logger.error(error);
  };
}
