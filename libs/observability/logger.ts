import type { LoggerService } from '@nestjs/common';
import { Logger as NestLogger, PinoLogger } from 'nestjs-pino';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { currentWork } from '#libs/observability/work.js';

/**
 * The process's JSON log. Each line names the request, the job and the user that it is about, where there is one.
 * What could be a secret, or a user's own words, is left out wherever it stands.
 */
export const createLogger = (
  level: string,
  name: 'api' | 'worker',
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level,
      base: { program: name, pid: process.pid },
      mixin(_line, _level, logger) {
        const { requestId, ...others } = currentWork();
        // The log of a request carries the id by itself; a key that stands twice on a line is no JSON to rely on.
        return requestId === undefined || 'requestId' in logger.bindings()
          ? others
          : { requestId, ...others };
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

/** Nest's own words in that log, from its first one: also a start that fails is told in JSON. */
export function nestLogger(level: string, program: 'api' | 'worker'): LoggerService {
  const params = { pinoHttp: { logger: createLogger(level, program) } };
  return new NestLogger(new PinoLogger(params), params);
}

/**
 * An error with its causes, and nothing else that hangs on it: a failed statement carries its values, a failed call
 * its request.
 */
export function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack, code } = (
    error instanceof Error ? stdSerializers.err(error) : error
  ) as Record<string, unknown>;
  return { type, message, stack, code };
}
