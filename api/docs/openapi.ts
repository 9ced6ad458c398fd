import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { accountSchema, setPlanSchema } from '#libs/contract/account.js';
import { publishedCreationSchema, toggledLikeSchema, toggleLikeSchema } from '#libs/contract/community.js';
import { publicConfigSchema } from '#libs/contract/config.js';
import {
  creationListQuerySchema,
  creationSchema,
  ownCreationsQuerySchema,
  ownCreationsSchema,
  publishSchema,
} from '#libs/contract/creations.js';
import { failureSchema } from '#libs/contract/envelope.js';
import { errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/file-kinds.js';
import { jobListQuerySchema, jobSchema } from '#libs/contract/jobs.js';
import {
  pdfChatHistorySchema,
  pdfChatMessageSchema,
  pdfChatQuerySchema,
  pdfFileQuerySchema,
} from '#libs/contract/pdf-chats.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import type { ToolContract } from '#libs/tools/define-tool.js';

const success = <T extends z.core.$ZodLooseShape>(fields: T) =>
  z.object({ success: z.literal(true), ...fields });

/** Codes that any call with a token may be answered with. */
const COMMON: ErrorCode[] = ['UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'];
const SUBMISSION: ErrorCode[] = ['INSUFFICIENT_CREDITS', 'IDEMPOTENCY_MISMATCH', 'QUEUE_FULL'];
const OUTCOME: ErrorCode[] = ['JOB_CANCELLED', 'ENGINE_CANNOT', 'PROVIDER_FAILED', 'JOB_TIMED_OUT'];

const FILES: ErrorCode[] = ['FILE_TOO_LARGE', 'UNSUPPORTED_FILE', 'UNREADABLE_PDF', 'UNREADABLE_IMAGE'];

const creationId = z.object({ id: z.uuid().meta({ description: 'The creation’s id.' }) });

const jobId = z.object({ id: z.uuid().meta({ description: 'The job’s id.' }) });

const submissionHeaders = z.object({
  Prefer: z.string().optional().meta({
    description:
      '`respond-async` answers 202 at once; `wait=N` holds the answer for N seconds at most (RFC 7240).',
  }),
  'Idempotency-Key': z.string().max(255).optional().meta({
    description: 'The same key from the same person within 24 hours names the same job.',
  }),
});

const json = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

function failures(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      json(failureSchema, group.map((code) => `\`${code}\``).join(', ')),
    ]),
  );
}

const accepted = (schema: z.ZodType) => ({
  ...json(schema, 'Accepted; the job goes on'),
  headers: z.object({
    Location: z.string().meta({ description: '`/api/jobs/{id}`' }),
    'Preference-Applied': z.string().optional(),
  }),
});

const withJob = success({ job: jobSchema });
const withCreation = success({ message: z.string(), creation: creationSchema });

const bytesOf = (...types: string[]) => ({
  description: 'The bytes; also by `HEAD` and `Range`',
  content: Object.fromEntries(types.map((type) => [type, { schema: z.file() }])),
});
const IMAGE = bytesOf('image/png', 'image/jpeg', 'image/webp');

/** Fields and files of a tool as one form; what is required of a JSON request is required here too. */
function multipartSchema({ input, files = {} }: ToolContract): z.ZodType {
  const parts = Object.entries(files).map(([name, { kind, required }]) => {
    const { types, maxBytes } = fileKinds[kind];
    const file = z.file().meta({ description: `${types.join(', ')}; at most ${maxBytes / 1024 / 1024} MB.` });
    return [name, required ? file : file.optional()] as const;
  });
  return z.object({ ...(input as z.ZodObject).shape, ...Object.fromEntries(parts) });
}

function toolBody(tool: ToolContract): ZodOpenApiRequestBodyObject {
  const files = Object.values(tool.files ?? {});
  const json = { 'application/json': { schema: tool.input } };
  if (files.length === 0) return { required: true, content: json };
  const multipart = { 'multipart/form-data': { schema: multipartSchema(tool) } };
  return {
    required: true,
    content: files.some(({ required }) => required) ? multipart : { ...multipart, ...json },
  };
}

function toolOperation(name: string, tool: ToolContract): ZodOpenApiOperationObject {
  const output = tool.output as z.ZodObject;
  const refusals: ErrorCode[] = tool.plan === 'premium' ? ['PREMIUM_REQUIRED', ...SUBMISSION] : SUBMISSION;
  return {
    tags: ['Tools'],
    operationId: name,
    summary: tool.title,
    description: `${tool.description} Costs ${tool.credits} credit on the free plan. A plain call is held until the job ends.`,
    requestParams: { header: submissionHeaders },
    requestBody: toolBody(tool),
    responses: {
      200: json(
        success({ ...output.shape, creationId: z.uuid().optional(), message: z.string(), jobId: z.uuid() }),
        'The job succeeded',
      ),
      202: accepted(withJob),
      ...failures(['VALIDATION_FAILED', ...(tool.files ? FILES : []), ...COMMON, ...refusals, ...OUTCOME]),
    },
  };
}

const jobPaths: ZodOpenApiPathsObject = {
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

const userPaths: ZodOpenApiPathsObject = {
  '/api/user/account': {
    get: {
      tags: ['Account'],
      operationId: 'get-account',
      summary: 'Plan, credits and profile of the caller',
      responses: { 200: json(success(accountSchema.shape), 'The account'), ...failures(COMMON) },
    },
    delete: {
      tags: ['Account'],
      operationId: 'remove-account',
      summary:
        'Removes everything the caller has here, the account itself included (with Clerk its user too)',
      responses: { 200: json(success({ message: z.string() }), 'All is gone'), ...failures(COMMON) },
    },
  },
  '/api/user/picture': {
    put: {
      tags: ['Account'],
      operationId: 'set-picture',
      summary: 'Sets the caller’s picture',
      description:
        'With local accounts only. The picture is made square and small, without what a camera wrote into it, and served at `profile.imageUrl`.',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: z.object({
              picture: z.file().meta({
                description: `${fileKinds.image.types.join(', ')}; at most ${fileKinds.image.maxBytes / 1024 / 1024} MB.`,
              }),
            }),
          },
        },
      },
      responses: {
        200: json(success(accountSchema.shape), 'The account'),
        ...failures([
          'VALIDATION_FAILED',
          'FORBIDDEN',
          ...FILES.filter((code) => code !== 'UNREADABLE_PDF'),
          ...COMMON,
        ]),
      },
    },
    delete: {
      tags: ['Account'],
      operationId: 'remove-picture',
      summary: 'Removes the caller’s picture',
      responses: {
        200: json(success(accountSchema.shape), 'The account'),
        ...failures(['FORBIDDEN', ...COMMON]),
      },
    },
  },
  '/api/user/plan': {
    post: {
      tags: ['Account'],
      operationId: 'set-plan',
      summary: 'Switches the caller’s plan for trial, where the operator allows it',
      requestBody: { required: true, content: { 'application/json': { schema: setPlanSchema } } },
      responses: {
        200: json(success(accountSchema.shape), 'The account'),
        ...failures(['VALIDATION_FAILED', 'FORBIDDEN', ...COMMON]),
      },
    },
  },
  '/api/user/get-user-creations': {
    get: {
      tags: ['Creations'],
      operationId: 'list-creations',
      summary: 'What the caller made, newest first; searched, filtered and in pages where that is asked for',
      requestParams: { query: ownCreationsQuerySchema },
      responses: {
        200: json(success(ownCreationsSchema.shape), 'The creations'),
        ...failures(['VALIDATION_FAILED', ...COMMON]),
      },
    },
  },
  '/api/user/creations/{id}': {
    get: {
      tags: ['Creations'],
      operationId: 'get-creation',
      summary: 'One creation of the caller',
      requestParams: { path: creationId },
      responses: {
        200: json(success({ creation: creationSchema }), 'The creation'),
        ...failures(['NOT_FOUND', ...COMMON]),
      },
    },
    delete: {
      tags: ['Creations'],
      operationId: 'delete-creation',
      summary: 'Deletes a creation; for a day it can be restored',
      requestParams: { path: creationId },
      responses: {
        200: json(success({ message: z.string(), restorableUntil: z.iso.datetime() }), 'It is gone'),
        ...failures(['NOT_FOUND', ...COMMON]),
      },
    },
  },
  '/api/user/creations/{id}/restore': {
    post: {
      tags: ['Creations'],
      operationId: 'restore-creation',
      summary: 'Brings a deleted creation back as it was',
      requestParams: { path: creationId },
      responses: { 200: json(withCreation, 'The creation'), ...failures(['NOT_FOUND', ...COMMON]) },
    },
  },
  '/api/user/creations/{id}/publish': {
    post: {
      tags: ['Creations'],
      operationId: 'publish-creation',
      summary: 'Shows an image to everybody, or withdraws it',
      requestParams: { path: creationId },
      requestBody: { required: false, content: { 'application/json': { schema: publishSchema } } },
      responses: {
        200: json(withCreation, 'The creation'),
        ...failures(['VALIDATION_FAILED', 'FORBIDDEN', 'NOT_FOUND', ...COMMON]),
      },
    },
  },
};

const communityPaths: ZodOpenApiPathsObject = {
  '/api/user/get-published-creations': {
    get: {
      tags: ['Community'],
      operationId: 'list-published-creations',
      summary: 'Everybody’s published images, newest first',
      requestParams: { query: creationListQuerySchema },
      responses: {
        200: json(
          success({ creations: z.array(publishedCreationSchema), nextCursor: z.string().nullable() }),
          'A page of images',
        ),
        ...failures(['VALIDATION_FAILED', ...COMMON]),
      },
    },
  },
  '/api/user/toggle-like-creation': {
    post: {
      tags: ['Community'],
      operationId: 'toggle-like',
      summary: 'Likes a published image, or takes the like back',
      requestBody: { required: true, content: { 'application/json': { schema: toggleLikeSchema } } },
      responses: {
        200: json(success({ message: z.string(), ...toggledLikeSchema.shape }), 'How it is now'),
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', ...COMMON]),
      },
    },
  },
};

const pdfChatPaths: ZodOpenApiPathsObject = {
  '/api/ai/pdf-chat-history': {
    get: {
      tags: ['PDF chats'],
      operationId: 'get-pdf-chat-history',
      summary: 'The caller’s conversations about PDF documents; with `file_name` one of them',
      requestParams: { query: pdfChatQuerySchema },
      responses: {
        200: json(
          z.union([
            success(pdfChatHistorySchema.shape),
            success({
              message: z.string(),
              chatHistory: z.array(pdfChatMessageSchema),
              fileName: z.string(),
            }),
          ]),
          'Without `file_name` the list and the latest conversation, with it that one',
        ),
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', ...COMMON]),
      },
    },
    delete: {
      tags: ['PDF chats'],
      operationId: 'clear-pdf-chat-history',
      summary: 'Clears all conversations with their documents; with `file_name` one of them',
      requestParams: { query: pdfChatQuerySchema },
      responses: {
        200: json(success({ message: z.string() }), 'Cleared'),
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', ...COMMON]),
      },
    },
  },
  '/api/ai/pdf-chat-history/file': {
    get: {
      tags: ['PDF chats'],
      operationId: 'get-pdf-chat-file',
      summary: 'The document of a conversation, for its owner; 404 where it is not kept',
      requestParams: { query: pdfFileQuerySchema },
      responses: {
        200: {
          description: 'The document',
          content: { 'application/pdf': { schema: z.string().meta({ format: 'binary' }) } },
        },
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', 'UNAVAILABLE', ...COMMON]),
      },
    },
  },
};

const checks = z.object({ database: z.boolean(), queue: z.boolean(), storage: z.boolean() });

const publicPaths: ZodOpenApiPathsObject = {
  '/files/{key}': {
    get: {
      tags: ['Files'],
      operationId: 'get-file',
      summary: 'A result’s file, for whoever knows its address',
      security: [],
      requestParams: { path: z.object({ key: z.string() }) },
      responses: { 200: IMAGE, ...failures(['NOT_FOUND', 'UNAVAILABLE']) },
    },
  },
  '/c/{id}': {
    get: {
      tags: ['Files'],
      operationId: 'get-public-page',
      summary: 'The public page of a published image',
      security: [],
      requestParams: { path: creationId },
      responses: {
        200: { description: 'The page', content: { 'text/html': { schema: z.string() } } },
        404: { description: 'Nothing is on show here', content: { 'text/html': { schema: z.string() } } },
      },
    },
  },
  '/c/{id}/image': {
    get: {
      tags: ['Files'],
      operationId: 'get-published-image',
      summary: 'A published image, or beside it its `thumbnail`',
      security: [],
      requestParams: { path: creationId },
      responses: { 200: IMAGE, ...failures(['NOT_FOUND', 'UNAVAILABLE']) },
    },
  },
  '/api/webhooks/clerk': {
    post: {
      tags: ['Webhooks'],
      operationId: 'take-clerk-event',
      summary: 'Takes an event of Clerk’s: users and subscriptions',
      description:
        'Signed by Clerk (`svix-id`, `svix-timestamp`, `svix-signature`). Events may come in any order and again; those that concern nothing here are answered 200 too. 404 where `CLERK_WEBHOOK_SIGNING_SECRET` is not set.',
      security: [],
      requestParams: {
        header: z.object({
          'svix-id': z.string(),
          'svix-timestamp': z.string(),
          'svix-signature': z.string(),
        }),
      },
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: z.object({ type: z.string(), data: z.object({}).loose() }) },
        },
      },
      responses: {
        200: json(success({ message: z.string() }), 'Dealt with'),
        ...failures([
          'VALIDATION_FAILED',
          'NOT_FOUND',
          'FILE_TOO_LARGE',
          'RATE_LIMITED',
          'UNAVAILABLE',
          'INTERNAL',
        ]),
      },
    },
  },
  '/api/config': {
    get: {
      tags: ['Operations'],
      operationId: 'get-config',
      summary: 'What a client needs before sign-in',
      security: [],
      responses: { 200: json(success(publicConfigSchema.shape), 'The configuration') },
    },
  },
  '/health/live': {
    get: {
      tags: ['Operations'],
      operationId: 'live',
      summary: 'Whether the process lives',
      security: [],
      responses: { 200: json(success({}), 'It lives') },
    },
  },
  '/api/admin/session': {
    post: {
      tags: ['Operations'],
      operationId: 'open-queue-board',
      summary: 'Lets an operator’s browser in to the queue board for half an hour, by a cookie',
      responses: {
        200: json(success({ url: z.string() }), 'Let in; the board is at `url`'),
        ...failures(['FORBIDDEN', ...COMMON]),
      },
    },
    delete: {
      tags: ['Operations'],
      operationId: 'close-queue-board',
      summary: 'Closes the queue board for all browsers of the caller',
      responses: { 200: json(success({}), 'Closed'), ...failures(COMMON) },
    },
  },
  '/health/ready': {
    get: {
      tags: ['Operations'],
      operationId: 'ready',
      summary: 'Whether database, queue and object store answer',
      security: [],
      responses: {
        200: json(
          success({
            checks,
            pausedQueues: z.array(z.string()).meta({ description: 'Held by an operator.' }),
          }),
          'All answer',
        ),
        503: json(failureSchema.extend({ checks }), 'At least one does not answer'),
      },
    },
  },
};

/** The OpenAPI description, made from the schemas that validate. */
export function createOpenApi(): ReturnType<typeof createDocument> {
  const toolPaths = Object.fromEntries(
    toolNames.map((name) => [`/api/ai/${name}`, { post: toolOperation(name, tools[name]) }]),
  );
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Pressroom',
      version: '1',
      description:
        'AI tools as jobs. Every JSON answer has `success`; a refusal has `message`, `code` and `requestId` beside it. ' +
        'With local accounts, sign in under `/api/auth` (better-auth’s own calls and form) and send the token of ' +
        '`GET /api/auth/token` as the bearer token; with Clerk, send Clerk’s session token. `GET /api/config` says which ' +
        'of the two it is. Sign-up, sign-in and profile under `/api/auth`: `sign-up/email`, `sign-in/email`, `sign-out`, ' +
        '`update-user`, `change-password`, `list-sessions`, `revoke-session`, `revoke-other-sessions`, `delete-user`; ' +
        'where mail is on also `send-verification-email`, `request-password-reset`, `reset-password`, `change-email`. Live events come ' +
        'over socket.io on the same origin, with `auth: { token }`.',
    },
    security: [{ bearer: [] }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    paths: { ...toolPaths, ...pdfChatPaths, ...jobPaths, ...userPaths, ...communityPaths, ...publicPaths },
  });
}
