import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { errorStatus } from './errors.js';

export const failureSchema = z
  .object({
    success: z.literal(false),
    message: z.string().meta({ description: 'A sentence for the user.' }),
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    details: z.unknown().optional(),
  })
  .meta({ id: 'Failure' });
export type Failure = z.infer<typeof failureSchema>;
