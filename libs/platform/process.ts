import { Logger } from '@nestjs/common';

const logger = new Logger('Process');

/**
 * Ends the process in good order: on SIGTERM or SIGINT, and when the starter that it belongs to is gone. `stop` has
 * `seconds` to finish.
 */
export function stopGracefully(stop: () => Promise<void>, seconds: number): void {
  let stopping = false;
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    logger.log(`Stopping (${why})`);
    setTimeout(() => {
      logger.error(`Could not stop within ${seconds} s`);
      process.exit(1);
    }, seconds * 1000).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => end('SIGTERM'));
  process.once('SIGINT', () => end('SIGINT'));
  process.once('disconnect', () => end('the starter is gone'));
}
