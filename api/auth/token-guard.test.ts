import { expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { OperatorAccess } from '#libs/operators/operator-access.js';
import type { RateLimits } from '../http/rate-limits.js';
import { ADMIN, SCOPE } from '../http/route.js';
import type { Callers } from './callers.js';
import { TokenGuard } from './token-guard.js';

/** A route for operators that a mistake opens to keys. */
function handler() {
  return undefined;
}
Reflect.defineMetadata(ADMIN, true, handler);
Reflect.defineMetadata(SCOPE, 'read', handler);

it('refuses a program with a key at a route for operators', async () => {
  const apiKey = { id: 'key', scopes: ['read'], ratePerMinute: null, expiresAt: null };
  const require = jest.fn<OperatorAccess['require']>();
  const guard = new TokenGuard(
    new Reflector(),
    { identify: async () => ({ userId: 'ada', apiKey }) } as unknown as Callers,
    {} as RateLimits,
    { require } as unknown as OperatorAccess,
  );
  const context = {
    getType: () => 'http',
    getHandler: () => handler,
    getClass: () => TokenGuard,
    switchToHttp: () => ({
      getRequest: () => ({ method: 'GET', path: '/api/admin/jobs' }),
      getResponse: () => ({}),
    }),
  } as unknown as ExecutionContext;
  await expect(guard.canActivate(context)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(require).not.toHaveBeenCalled();
});
