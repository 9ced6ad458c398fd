import { expect, it } from '@jest/globals';
import { AppError, errorStatus, type ErrorCode } from './errors.js';

it('has Retry-After with every 429 and 503 and with no other status', () => {
  const codes = Object.keys(errorStatus) as ErrorCode[];
  const retryable = codes.filter((code) => new AppError(code, 'Not now.').retryAfterSeconds);
  expect(retryable).toEqual(codes.filter((code) => [429, 503].includes(errorStatus[code])));
  expect(new AppError('QUEUE_FULL', 'Not now.', { retryAfterSeconds: 90 }).retryAfterSeconds).toBe(90);
});
