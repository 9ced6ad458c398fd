import { Logger } from '@nestjs/common';

const logger = new Logger('Process');

/**
 * Ends the process on SIGTERM and SIGINT, and when its parent process ends.
 * @param seconds maximum duration of the shutdown; then the process exits with status 1
 * @returns a function that sets what to do at shutdown; initially nothing
 */
export function stopGracefully(seconds: number): (stop: () => Promise<void>) => void {
  let isStopping = false;
  let stop = async () => {};
  const end = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    logger.log(`Stopping (${reason})`);
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
  process.once('disconnect', () => end('the parent process has ended'));
  return (first) => {
    stop = first;
  };
}
