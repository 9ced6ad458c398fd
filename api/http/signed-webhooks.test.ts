import { expect, it, jest } from '@jest/globals';
import type { Request } from 'express';
import type { Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { ClerkWebhooks } from '../clerk-webhooks/clerk-webhooks.service.js';
import { StripeWebhooks } from '../stripe-webhooks/stripe-webhooks.service.js';
import type { RateLimits } from './rate-limits.js';

const LIMITED = 3;
const config = { accounts: { kind: 'local' } } as Config;
const unused = {} as never;

it.each([
  ['Stripe', (limits: RateLimits) => new StripeWebhooks(config, null, null, unused, limits)],
  ['Clerk', (limits: RateLimits) => new ClerkWebhooks(config, unused, unused, unused, limits)],
])('limits calls by address where %s is not configured', async (_, create) => {
  let calls = 0;
  const countAddress = jest.fn<RateLimits['countAddress']>(async () => {
    if ((calls += 1) > LIMITED) throw new AppError('RATE_LIMITED', 'Too many.');
  });
  const webhooks = create({ countAddress } as unknown as RateLimits);
  const codes: string[] = [];
  for (let n = 0; n < LIMITED + 1; n += 1)
    await webhooks
      .process({ ip: '203.0.113.9', headers: {}, body: Buffer.alloc(0) } as unknown as Request)
      .catch(({ code }: AppError) => codes.push(code));
  expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'RATE_LIMITED']);
  expect(countAddress).toHaveBeenCalledWith('203.0.113.9', null);
});
