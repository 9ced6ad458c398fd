import { z } from 'zod';
import type { ErrorCode } from '../errors.js';

/** What a route answers with one status: a schema for each media type it may have. */
export interface RouteAnswer {
  description: string;
  content: Record<string, z.ZodType>;
  headers?: z.ZodObject;
}

/** One route of the API: the only place that states its method, path, input, answers and errors. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as Express writes them: `/api/jobs/:id`. */
  path: string;
  /** The group it stands in on the OpenAPI page. */
  tag: string;
  summary: string;
  description?: string;
  /** True for a route that needs no token. */
  public?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The multipart body. A route with both takes either. */
  form?: z.ZodObject;
  /** False for a body that may be left out. */
  bodyRequired?: boolean;
  /** What it answers by status, apart from `errors`. */
  answers: Record<number, RouteAnswer>;
  /** Besides these, a route that needs a token answers with {@link commonErrors}. */
  errors: readonly ErrorCode[];
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

/** Errors of every route that needs a token. */
export const commonErrors: ErrorCode[] = ['UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'];

/** Errors of a request's body, which every route under `/api` reads. */
export const requestErrors: ErrorCode[] = ['VALIDATION_FAILED', 'REQUEST_TOO_SLOW', 'FILE_TOO_LARGE'];

export const success = <T extends z.core.$ZodLooseShape>(fields: T) =>
  z.object({ success: z.literal(true), ...fields });

/** Answers of a file: all of it, a part, that the client has it, or that it has no such part. */
export const fileAnswers = <A extends RouteAnswer>(whole: A) => ({
  200: whole,
  206: { ...whole, description: 'The part that `Range` asks for' },
  304: { description: 'The client has it (`If-None-Match`)', content: {} },
  416: { description: 'The file has no such part', content: {} },
});

export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': schema },
});
