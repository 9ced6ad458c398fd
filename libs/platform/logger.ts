import { pino, type Logger } from 'pino';

/** The process's JSON log. What could be a secret, or a person's own words, is left out wherever it stands. */
export const createLogger = (level: string, name: 'api' | 'worker'): Logger =>
  pino({
    level,
    base: { program: name, pid: process.pid },
    redact: {
      paths: ['authorization', 'cookie', 'password', 'token', 'prompt'].flatMap((key) => [
        key,
        `*.${key}`,
        `*.*.${key}`,
      ]),
      censor: '[left out]',
    },
  });
