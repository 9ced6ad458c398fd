import { z } from 'zod';
import type { KeyScope } from '../api-keys.js';
import { errorStatus, type ErrorCode } from '../errors.js';

/** The response for one status. */
export interface RouteAnswer {
  description: string;
  /** A schema for each media type. */
  content: Record<string, z.ZodType>;
  headers?: z.ZodObject;
}

/** Definition of one route. The controllers, the web client and the OpenAPI document are all derived from it. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are in Express's syntax: `/api/jobs/:id`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** True if the route needs no token. */
  public?: boolean;
  /**
   * Scope that an API key needs: `tool` is the scope of the tool, which the handler checks; null refuses keys. Default: `read`
   * for GET, else `write`.
   */
  scope?: KeyScope | 'tool' | null;
  /** True if only operators may call it, with a second factor where accounts are local. Refuses API keys. */
  admin?: boolean;
  /**
   * `searches`: requests with words in the query's `search` have the limit of searches instead of the limit of reads at work.
   * `unlimited`: the number of requests at work is not limited, since they wait for jobs or other services.
   */
  atWork?: 'searches' | 'unlimited';
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** A valid body, or the fields of a valid form. */
  example?: object;
  /** Schema of a multipart body. A route with `body` and `form` accepts either; the documentation has only the form. */
  form?: z.ZodObject;
  /** False if the body is optional. */
  bodyRequired?: boolean;
  /** Default: {@link BODY_MAX_BYTES}. The handler of a route with a `form` has limits of its own. */
  bodyMaxBytes?: number;
  /** True if the handler gets the body's bytes, from which a signature is computed. */
  rawBody?: true;
  /** Responses by status. Error responses are in `errors`. */
  answers: Record<number, RouteAnswer>;
  /**
   * Route-specific errors. {@link commonErrors} are always included; {@link requestErrors} are also included for paths
   * under `/api`.
   */
  errors?: readonly ErrorCode[];
}

export const BODY_MAX_BYTES = 100 * 2 ** 10;
export const MAX_IDEMPOTENCY_KEY = 255;

/** Request headers of a route that does the same once for each key. */
export const idempotencyKeyHeader = (description: string) =>
  z.object({ 'Idempotency-Key': z.string().max(MAX_IDEMPOTENCY_KEY).optional().meta({ description }) });

/** The scope that an API key needs for a route. */
export const scopeOf = ({ scope, method }: Pick<Route, 'scope' | 'method'>): KeyScope | 'tool' | null =>
  scope === undefined ? (method === 'GET' ? 'read' : 'write') : scope;

/** Creates a route. Type-checks the definition without widening its type, so that clients know the exact response types. */
export const defineRoute = <
  M extends Route['method'],
  P extends string,
  const R extends Omit<Route, 'method' | 'path'>,
>(
  method: M,
  path: P,
  route: R,
): R & { method: M; path: P } => ({ ...route, method, path });

type JsonOf<A> = A extends { content: { 'application/json': infer S extends z.ZodType } }
  ? z.output<S>
  : never;

export type JsonAnswer<R extends Route, Status extends keyof R['answers'] = keyof R['answers']> = {
  [S in Status]: JsonOf<R['answers'][S]>;
}[Status];

export const commonErrors: ErrorCode[] = ['UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'];

/** Errors while reading a request. Every route under `/api` can respond with them. */
export const requestErrors: ErrorCode[] = ['VALIDATION_FAILED', 'REQUEST_TOO_SLOW', 'FILE_TOO_LARGE'];

export const failureSchema = z
  .object({
    success: z.literal(false),
    message: z.string().meta({ description: 'A sentence for the user.' }),
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    details: z
      .union([
        z.array(z.object({ field: z.string(), message: z.string() })),
        z.record(z.string(), z.unknown()),
      ])
      .optional()
      .meta({ description: 'For `VALIDATION_FAILED` the invalid fields; else facts about the error.' }),
  })
  .meta({ id: 'Failure' });
export type Failure = z.infer<typeof failureSchema>;

export const retryAfterHeader = z.object({
  'Retry-After': z.string().meta({ description: 'Whole seconds to wait before a retry.' }),
});

export const success = <T extends z.core.$ZodLooseShape>(fields: T) =>
  z.object({ success: z.literal(true), ...fields });

export const fileAnswers = <A extends RouteAnswer>(whole: A) => ({
  200: whole,
  206: { ...whole, description: 'The requested `Range`' },
  304: { description: 'Not modified (`If-None-Match`)', content: {} },
  416: { description: 'The range is outside the file', content: {} },
});

export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': schema },
});

/** Responses of a route that has only status 200, with these fields. */
export const ok = <T extends z.core.$ZodLooseShape>(fields: T, description: string) => ({
  200: json(success(fields), description),
});

/** Responses of a route that returns a page of a list. */
export const page = <T extends z.core.$ZodLooseShape>(list: T, description: string) =>
  ok({ ...list, nextCursor: z.string().nullable() }, description);
