import { expect, it } from '@jest/globals';
import { AppError, errorStatus, type ErrorCode } from './errors.js';

it('says when to come again with every 429 and 503, also of a job that failed, and with nothing else', () => {
  const codes = Object.keys(errorStatus) as ErrorCode[];
  const passing = codes.filter((code) => new AppError(code, 'Not now.').retryAfterSeconds);
  expect(passing).toEqual(codes.filter((code) => [429, 503].includes(errorStatus[code])));
  expect(new AppError('QUEUE_FULL', 'Not now.', { retryAfterSeconds: 90 }).retryAfterSeconds).toBe(90);
});
