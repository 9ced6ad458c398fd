import { z } from 'zod';
import { errorStatus, type ErrorCode } from '../errors.js';

/** The answer for one status: a schema for each media type. */
export interface RouteAnswer {
  description: string;
  content: Record<string, z.ZodType>;
  headers?: z.ZodObject;
}

/** One route of the API: the only place that states its method, path, input, answers and errors. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in Express's syntax: `/api/jobs/:id`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** No token is needed. */
  public?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The multipart body. A route with `body` and `form` accepts either. */
  form?: z.ZodObject;
  /** False if the body is optional. */
  bodyRequired?: boolean;
  /** Answers by status, apart from `errors`. */
  answers: Record<number, RouteAnswer>;
  /** Errors besides {@link commonErrors}, and besides {@link requestErrors} below `/api`. */
  errors?: readonly ErrorCode[];
}

/** Checks a route's definition and keeps its exact type. */
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

/** Errors of a request's body, which every route under `/api` reads. */
export const requestErrors: ErrorCode[] = ['VALIDATION_FAILED', 'REQUEST_TOO_SLOW', 'FILE_TOO_LARGE'];

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
