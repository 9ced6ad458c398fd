import type { LoggerService } from '@nestjs/common';
import { Logger as NestLogger, PinoLogger } from 'nestjs-pino';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { escapeControls } from '#libs/observability/control-characters.js';
import { logContext } from '#libs/observability/log-context.js';
import { keepRecentError } from '#libs/observability/recent-errors.js';

/**
 * Creates the process's JSON logger. Each line has the ids of its request, job and user. Redacts secrets and users' prompts.
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
        // Omits the request id if the logger already adds it, because a JSON key must not occur twice in a line.
        return requestId === undefined || 'requestId' in logger.bindings()
          ? others
          : { requestId, ...others };
      },
      // Escapes the control characters that JSON does not escape, except the line feed at the end.
      hooks: {
        streamWrite: (line) => `${escapeControls(line.trimEnd())}\n`,
        logMethod(given, method, level) {
          keepRecentError(level, given);
          method.apply(this, withShortTexts(given));
        },
      },
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

const MESSAGE_MAX_LENGTH = 2_000;
const STACK_MAX_LENGTH = 8_000;

/** Cuts the texts of a line. A line without a message has that of its error. */
function withShortTexts([first, ...values]: unknown[]): [string] {
  const { err = first } = (first ?? {}) as { err?: unknown };
  const { message } = (err ?? {}) as { message?: unknown };
  const given = values.length > 0 || typeof message !== 'string' ? values : [message];
  return [first, ...given].map((value) => cut(value, MESSAGE_MAX_LENGTH)) as [string];
}

const cut = (value: unknown, length: number) =>
  typeof value === 'string' && value.length > length ? `${value.slice(0, length)}…` : value;

/** Maximum bytes to buffer while the disk is full. Further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes to stdout. Ignores errors, because stdout may be a file and a full disk must not end the process. */
export function toStdout(fd: number = process.stdout.fd): DestinationStream {
  const stream = pino.destination({ fd, sync: true, maxLength: MAX_WAITING_BYTES });
  stream.on('error', () => undefined);
  return stream;
}

/**
 * Options with which nestjs-pino uses our logger. Sets `err` again, because nestjs-pino replaces the logger's own
 * serializer. Use the same options everywhere: nestjs-pino ignores all but the first options in a process.
 */
export const loggerOptions = (...log: Parameters<typeof createLogger>) => ({
  pinoHttp: { logger: createLogger(...log), serializers: { err: errorForLog } },
});

/** Creates a logger for Nest in the same format. Also works before the application starts, for errors at startup. */
export function nestLogger(...log: Parameters<typeof createLogger>): LoggerService {
  const options = loggerOptions(...log);
  return new NestLogger(new PinoLogger(options), options);
}

/**
 * Logs uncaught errors in the same format and ends the process. Node itself would print all properties of the error, which
 * may contain users' data, such as the parameters of an SQL statement.
 */
export function endOnUncaughtError(logger: LoggerService): void {
  process.on('uncaughtException', (error: unknown) => {
    logger.fatal?.({ err: error }, 'Uncaught error');
    process.exit(1);
  });
}

/**
 * Serializes an error without properties that may contain users' data, such as SQL parameters. Includes causes in the stack,
 * where the message is cut too.
 */
export function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack, code } = (
    error instanceof Error ? stdSerializers.err(error) : error
  ) as Record<string, unknown>;
  const short = cut(message, MESSAGE_MAX_LENGTH);
  // The stack begins with the message.
  const frames =
    typeof stack === 'string' && typeof message === 'string'
      ? stack.replace(message, () => String(short))
      : stack;
  return { type, message: short, stack: cut(frames, STACK_MAX_LENGTH), code };
}
