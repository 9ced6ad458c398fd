import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { failureSchema } from '#libs/contract/envelope.js';
import { errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import { jobSchema } from '#libs/contract/jobs.js';

/** What the operations of several resources have in common. */

export const success = <T extends z.core.$ZodLooseShape>(fields: T) =>
  z.object({ success: z.literal(true), ...fields });

/** Codes that any call with a token may be answered with. */
export const COMMON: ErrorCode[] = ['UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'];
export const SUBMISSION: ErrorCode[] = ['INSUFFICIENT_CREDITS', 'IDEMPOTENCY_MISMATCH', 'QUEUE_FULL'];
export const OUTCOME: ErrorCode[] = ['JOB_CANCELLED', 'ENGINE_CANNOT', 'PROVIDER_FAILED', 'JOB_TIMED_OUT'];

export const FILES: ErrorCode[] = [
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'UNREADABLE_PDF',
  'UNREADABLE_IMAGE',
];

export const submissionHeaders = z.object({
  Prefer: z.string().optional().meta({
    description:
      '`respond-async` answers 202 at once; `wait=N` holds the answer for N seconds at most (RFC 7240).',
  }),
  'Idempotency-Key': z.string().max(255).optional().meta({
    description: 'The same key from the same person within 24 hours names the same job.',
  }),
});

export const json = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

export function failures(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      json(failureSchema, group.map((code) => `\`${code}\``).join(', ')),
    ]),
  );
}

export const withJob = success({ job: jobSchema });

export const accepted = (schema: z.ZodType) => ({
  ...json(schema, 'Accepted; the job goes on'),
  headers: z.object({
    Location: z.string().meta({ description: '`/api/jobs/{id}`' }),
    'Preference-Applied': z.string().optional(),
  }),
});
