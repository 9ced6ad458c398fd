import type { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import type { JsonAnswer, Route } from '#libs/contract/routes/define-route.js';
import type { routes } from '#libs/contract/routes/table.js';
import { readBody, unreachable, type Http } from './http';

type Params<R> = R extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : object;
type Query<R> = R extends { query: infer S extends z.ZodType } ? { query?: z.input<S> } : object;
type Body<R> = R extends { body: infer S extends z.ZodType; form: z.ZodType }
  ? { body: z.input<S> | FormData }
  : R extends { body: infer S extends z.ZodType }
    ? { body: z.input<S> }
    : R extends { form: z.ZodType }
      ? { body: FormData }
      : object;

type Input<R extends Route> = { signal?: AbortSignal } & Params<R> & Query<R> & Body<R>;

/** Calls a route and resolves to the body of its response. @throws ApiFailure */
export async function call<R extends Route>(
  http: Http,
  route: R,
  input: Input<R>,
  headers?: Record<string, string>,
): Promise<JsonAnswer<R, 200>> {
  return answerOf<R, 200>(200, await send(http, route, input, headers));
}

/** Calls a route that requires an idempotency key. The server executes it only once for each key. @throws ApiFailure */
export async function callOnce<R extends Route>(
  http: Http,
  route: R,
  idempotencyKey: string,
  input: Input<R>,
): Promise<JsonAnswer<R, 200>> {
  return answerOf<R, 200>(200, await send(http, route, input, { 'Idempotency-Key': idempotencyKey }));
}

type JobRoute = (typeof routes)['submitJob'] | (typeof routes)['retryJob'];

/** Starts one or more jobs without waiting for them to end. @throws ApiFailure */
export async function startJob<R extends JobRoute>(
  http: Http,
  route: R,
  idempotencyKey: string,
  input: Input<R>,
): Promise<[Job, ...Job[]]> {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': idempotencyKey };
  const { job, jobs = [] } = await answerOf<JobRoute, 202>(202, await send(http, route, input, headers));
  return [job, ...jobs.filter(({ id }) => id !== job.id)];
}

/** Downloads a private file. @throws ApiFailure */
export async function readFile<R extends Route>(http: Http, route: R, input: Input<R>): Promise<Blob> {
  const response = await send(http, route, input);
  if (response.ok) return response.blob();
  await readBody(response);
  throw unreachable(response.status);
}

interface SentInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

function send(http: Http, { method, path }: Route, input: SentInput, headers?: Record<string, string>) {
  const { params = {}, query = {}, body, signal } = input;
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return http.send(method, search ? `${url}?${search}` : url, { body, signal, headers });
}

/** Casts a response to its type without validation, so that pages don't load schemas. The server validates its responses. */
async function answerOf<R extends Route, S extends keyof R['answers'] & number>(
  status: S,
  response: Response,
): Promise<JsonAnswer<R, S>> {
  const body = await readBody(response);
  if (response.status !== status) throw unreachable(response.status);
  return body as JsonAnswer<R, S>;
}
