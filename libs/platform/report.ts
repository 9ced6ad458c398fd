import { Logger } from '@nestjs/common';

/** Milliseconds for which a fault that was told is not told again. */
const SILENT_FOR = 60_000;

/**
 * A listener for errors that nobody waits for. A connection that is away fails again and again until it is back: the
 * same words are logged once a minute.
 */
export function reportTo(name: string): (error: Error) => void {
  const logger = new Logger(name);
  const toldAt = new Map<string, number>();
  return (error) => {
    const now = Date.now();
    for (const [message, at] of toldAt) if (now - at > SILENT_FOR) toldAt.delete(message);
    if (toldAt.has(error.message)) return;
    toldAt.set(error.message, now);
    logger.error(error);
  };
}
