import { expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { OperatorAccess } from '#libs/operators/operator-access.js';
import type { RateLimits } from '../http/rate-limits.js';
import type { UnsentAnswers } from '../http/unsent-answers.js';
import { ADMIN, PUBLIC, SCOPE } from '../http/route.js';
import type { Callers } from './callers.js';
import { TokenGuard } from './token-guard.js';

const count = jest.fn<UnsentAnswers['count']>();
const unsent = { count } as unknown as UnsentAnswers;

/** A route for operators that a mistake opens to keys. */
function handler() {
  return undefined;
}
Reflect.defineMetadata(ADMIN, true, handler);
Reflect.defineMetadata(SCOPE, 'read', handler);

it('refuses a program with a key at a route for operators, and counts its unread answer', async () => {
  const apiKey = { id: 'key', scopes: ['read'], ratePerMinute: null, expiresAt: null };
  const require = jest.fn<OperatorAccess['require']>();
  const guard = new TokenGuard(
    new Reflector(),
    { identify: async () => ({ userId: 'ada', apiKey }) } as unknown as Callers,
    {} as RateLimits,
    { require } as unknown as OperatorAccess,
    unsent,
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
  expect(count).toHaveBeenCalledWith('ada', expect.anything());
});

/** A route without a token. */
function publicHandler() {
  return undefined;
}
Reflect.defineMetadata(PUBLIC, true, publicHandler);

it.each([
  ['/api/webhooks/stripe', []],
  ['/api/webhooks/clerk', []],
  ['/api/config', ['addresses']],
  ['/files/none', ['files']],
  ['/c/none', ['files']],
  ['/health/ready', ['probes']],
])('counts calls of %s by address: %j', async (path, counted) => {
  const countAddress = jest.fn<RateLimits['countAddress']>();
  const guard = new TokenGuard(
    new Reflector(),
    {} as Callers,
    { countAddress } as unknown as RateLimits,
    {} as OperatorAccess,
    unsent,
  );
  const context = {
    getType: () => 'http',
    getHandler: () => publicHandler,
    getClass: () => TokenGuard,
    switchToHttp: () => ({ getRequest: () => ({ method: 'POST', path }), getResponse: () => ({}) }),
  } as unknown as ExecutionContext;
  await guard.canActivate(context);
  expect(countAddress.mock.calls.map(([, , limit]) => limit)).toEqual(counted);
});
