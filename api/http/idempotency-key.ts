import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { MAX_IDEMPOTENCY_KEY } from '#libs/contract/routes/define-route.js';

/**
 * Parameter decorator: the header `Idempotency-Key`, undefined if it was not sent. Refuses a blank or too long one with
 * VALIDATION_FAILED.
 */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => {
    const key = context.switchToHttp().getRequest<Request>().get('idempotency-key')?.trim();
    if (key === undefined || (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY)) return key;
    const message = `Idempotency-Key must hold 1 to ${MAX_IDEMPOTENCY_KEY} characters.`;
    throw new AppError('VALIDATION_FAILED', message, { details: [{ field: 'Idempotency-Key', message }] });
  },
);
