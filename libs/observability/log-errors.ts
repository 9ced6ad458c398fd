import { Logger } from '@nestjs/common';

const SUPPRESS_FOR = 60_000;

/**
 * Creates a listener for 'error' events that logs the errors. Logs the same message only once a minute, because an
 * unavailable service causes the same error again and again.
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
