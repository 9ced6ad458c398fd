import { Logger } from '@nestjs/common';

const SUPPRESS_FOR = 60_000;

/**
 * A listener for errors that no caller handles. The same message is logged once a minute, since an unavailable connection fails
 * repeatedly.
 */
export function logErrors(name: string): (error: Error) => void {
  const logger = new Logger(name);
  const loggedAt = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    for (const [message, at] of loggedAt) if (now - at > SUPPRESS_FOR) loggedAt.delete(message);
    if (loggedAt.has(error.message)) return;
    loggedAt.set(error.message, now);
    logger.error(error);
  };
}
