import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import Stripe from 'stripe';
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

const signed = {
  accounts: { kind: 'clerk', webhookSecret: 'whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29rcw==' },
  stripe: { webhookSecret: 'whsec_1' },
} as Config;

it.each([
  ['Stripe', (limits: RateLimits) => new StripeWebhooks(signed, new Stripe('sk_1'), unused, unused, limits)],
  ['Clerk', (limits: RateLimits) => new ClerkWebhooks(signed, unused, unused, unused, limits, {} as never)],
])(
  'counts a wrong signature of %s by address and writes no line, since the request has one',
  async (_, create) => {
    const countAddress = jest.fn<RateLimits['countAddress']>();
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const body = Buffer.from('{"type":"user.created","data":{}}');
    const request = { ip: '203.0.113.9', headers: { 'stripe-signature': 't=1,v1=0' }, body };
    const webhooks = create({ countAddress } as unknown as RateLimits);
    await expect(webhooks.process(request as unknown as Request)).rejects.toThrow(
      'The signature of this webhook',
    );
    expect([countAddress.mock.calls.length, warn.mock.calls]).toEqual([1, []]);
  },
);
