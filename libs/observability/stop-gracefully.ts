import { Logger } from '@nestjs/common';

const logger = new Logger('Process');

/**
 * Ends the process on SIGTERM or SIGINT, and when the process that started it has ended.
 * @returns a function that sets the shutdown work, which has `seconds` to finish; until it is called, there is none
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
