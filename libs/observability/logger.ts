import type { LoggerService } from '@nestjs/common';
import { Logger as NestLogger, PinoLogger } from 'nestjs-pino';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { escapeControls } from '#libs/observability/control-characters.js';
import { logContext } from '#libs/observability/log-context.js';

/**
 * The process's JSON log. Each line has the ids of its request, job and user. Secrets and users' texts are redacted.
 */
export const createLogger = (
  level: string,
  name: 'api' | 'worker',
  destination: DestinationStream = toStdout(),
): Logger =>
  pino(
    {
      level,
      base: { program: name, pid: process.pid },
      mixin(_line, _level, logger) {
        const { requestId, ...others } = logContext();
        // A request's own logger already has the id, and a key must not be on a line twice.
        return requestId === undefined || 'requestId' in logger.bindings()
          ? others
          : { requestId, ...others };
      },
      // JSON escapes some control characters only. The line feed that ends a line stays.
      hooks: { streamWrite: (line) => `${escapeControls(line.trimEnd())}\n` },
      serializers: { err: errorForLog },
      redact: {
        paths: ['authorization', 'cookie', 'password', 'token', 'prompt'].flatMap((key) => [
          key,
          `*.${key}`,
          `*.*.${key}`,
        ]),
        censor: '[left out]',
      },
    },
    destination,
  );

/** Bytes that are buffered while the disk is full; further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Stdout. It may be a file, and a full disk must not end the program. */
export function toStdout(fd: number = process.stdout.fd): DestinationStream {
  const stream = pino.destination({ fd, sync: true, maxLength: MAX_WAITING_BYTES });
  stream.on('error', () => undefined);
  return stream;
}

/**
 * Options of the same log for nestjs-pino, which would replace our serializer, and uses a process's first options for the whole
 * process.
 */
export const loggerOptions = (...log: Parameters<typeof createLogger>) => ({
  pinoHttp: { logger: createLogger(...log), serializers: { err: errorForLog } },
});

/** Nest's logger in the same format, so that a failed start is logged as JSON too. */
export function nestLogger(...log: Parameters<typeof createLogger>): LoggerService {
  const options = loggerOptions(...log);
  return new NestLogger(new PinoLogger(options), options);
}

/**
 * Logs an uncaught error in the same format and ends the process. Node would print all its properties, such as the values of a
 * failed statement.
 */
export function endOnUncaughtError(logger: LoggerService): void {
  process.on('uncaughtException', (error: unknown) => {
    logger.fatal?.({ err: error }, 'Uncaught error');
    process.exit(1);
  });
}

/** An error with its causes but without other properties, such as a statement's values or a call's request. */
export function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack, code } = (
    error instanceof Error ? stdSerializers.err(error) : error
  ) as Record<string, unknown>;
  return { type, message, stack, code };
}
