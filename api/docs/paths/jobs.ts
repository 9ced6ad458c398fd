import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { jobListQuerySchema, jobSchema } from '#libs/contract/jobs.js';
import {
  accepted,
  COMMON,
  failures,
  json,
  OUTCOME,
  SUBMISSION,
  submissionHeaders,
  success,
  withJob,
} from '../answers.js';

const jobId = z.object({ id: z.uuid().meta({ description: 'The job’s id.' }) });

export const jobPaths: ZodOpenApiPathsObject = {
  '/api/jobs': {
    get: {
      tags: ['Jobs'],
      operationId: 'list-jobs',
      summary: 'The caller’s jobs, newest first',
      requestParams: { query: jobListQuerySchema },
      responses: {
        200: json(success({ jobs: z.array(jobSchema), nextCursor: z.string().nullable() }), 'A page of jobs'),
        ...failures(['VALIDATION_FAILED', ...COMMON]),
      },
    },
  },
  '/api/jobs/{id}': {
    get: {
      tags: ['Jobs'],
      operationId: 'get-job',
      summary: 'One job, with the text so far',
      requestParams: { path: jobId },
      responses: { 200: json(withJob, 'The job'), ...failures(['NOT_FOUND', ...COMMON]) },
    },
    delete: {
      tags: ['Jobs'],
      operationId: 'cancel-job',
      summary: 'Cancels a job and gives its credits back',
      requestParams: { path: jobId },
      responses: {
        200: json(withJob, 'The cancelled job'),
        ...failures(['NOT_FOUND', 'JOB_NOT_CANCELLABLE', ...COMMON]),
      },
    },
  },
  '/api/jobs/{id}/retry': {
    post: {
      tags: ['Jobs'],
      operationId: 'retry-job',
      summary: 'A failed or cancelled job again, as a new job',
      requestParams: { path: jobId, header: submissionHeaders },
      responses: {
        200: json(success({}).loose(), 'The new job succeeded; the fields of its tool'),
        202: accepted(withJob),
        ...failures([
          'NOT_FOUND',
          'JOB_NOT_RETRYABLE',
          'PREMIUM_REQUIRED',
          ...COMMON,
          ...SUBMISSION,
          ...OUTCOME,
        ]),
      },
    },
  },
};
