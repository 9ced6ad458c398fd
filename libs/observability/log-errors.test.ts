import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { logErrors } from './log-errors.js';

const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
afterEach(() => void log.mockClear());

it.each([
  ['the same message', 2, () => 'connect ECONNREFUSED', 1],
  ['messages that begin alike', 2, (n: number) => `Rejected: ${'x'.repeat(200)}${n}`, 1],
  ['different messages', 3, (n: number) => `${n} refused`, 3],
  ['many different messages', 1_000, (n: number) => `${n} refused`, 100],
])('logs %s once a minute, and at most 100', (_, count, messageOf, lines) => {
  const listener = logErrors('MCP');
  for (let n = 0; n < count; n += 1) listener(new Error(messageOf(n)));
  expect(log).toHaveBeenCalledTimes(lines);
});
