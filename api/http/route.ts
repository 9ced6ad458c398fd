import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import type { Caller, Identity } from '#libs/accounts/identity.js';
import { scopeOf, type Route as RouteContract } from '#libs/contract/routes/define-route.js';
import { routes, type Answer, type RouteName } from '#libs/contract/routes/table.js';
import { BulkheadInterceptor, isSearch, reads, writes } from './request-bulkhead.js';

type WithoutSuccess<A> = A extends unknown ? Omit<A, 'success'> : never;

/**
 * Return type of a handler: the fields of its JSON response without `success`, or void if it writes the response
 * itself.
 */
type Handled<N extends RouteName> = [Answer<N>] extends [never] ? void : WithoutSuccess<Answer<N>>;

type Handler = (...parameters: never[]) => unknown;

/** Adds `success: true` to each JSON response. Not an interceptor: Nest runs these as observables, which cost CPU time. */
const answerSuccess = (handler: Handler): Handler =>
  async function (this: object, ...parameters) {
    const fields = (await handler.apply(this, parameters)) as object | undefined;
    return fields && { success: true, ...fields };
  };

/** One instance of each for all routes, since their limits apply to the whole process. */
const readInterceptor = new BulkheadInterceptor(reads);
const searchInterceptor = new BulkheadInterceptor(reads, isSearch);
const writeInterceptor = new BulkheadInterceptor(writes);

/**
 * Runs a read of a page, file or stream, whose answer may take longer than the read, under the limits of the api's reads.
 * @throws AppError RATE_LIMITED
 */
export const limitedRead = <T>(request: Request, response: Response, read: () => Promise<T>): Promise<T> =>
  readInterceptor.run(request, response, read);

/**
 * Decorator that mounts a handler at a route of the contract. The handler's return type is checked against the route. Write other
 * decorators of the method above it: it replaces the method, so metadata that decorators below it set is lost.
 */
export function Route<N extends RouteName>(name: N) {
  const route: RouteContract = routes[name];
  const { method, path, public: isPublic, admin } = route;
  const decorate = applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(200),
    SetMetadata(SCOPE, scopeOf(route)),
    SetMetadata(BODY, route),
    ...interceptorsOf(route).map((interceptor) => UseInterceptors(interceptor)),
    ...(isPublic ? [Public()] : []),
    ...(admin ? [SetMetadata(ADMIN, true)] : []),
  );
  return <H extends (...parameters: never[]) => Handled<N> | Promise<Handled<N>>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    descriptor.value = answerSuccess(descriptor.value!) as H;
    decorate(target, key, descriptor);
  };
}

/** Metadata of a handler: the scope that an API key needs for it. Keys are refused where it is absent or null. */
export const SCOPE = 'scope';

/** Metadata of a handler: {@link BodyContract}. */
export const BODY = 'body';

/** What a route says about its body. */
export type BodyContract = Pick<RouteContract, 'form' | 'bodyMaxBytes' | 'rawBody'>;

/** Metadata of a handler: true if only operators may call it. */
export const ADMIN = 'admin';

/** The limits of requests at work. Not for files, streams and uploads, which wait for the network. */
export function interceptorsOf({
  method,
  path,
  answers,
  form,
  atWork,
}: RouteContract): BulkheadInterceptor[] {
  const isJson = answers[200]?.content['application/json'] !== undefined;
  if (!path.startsWith('/api/') || !isJson || form || atWork === 'unlimited') return [];
  if (method !== 'GET') return [writeInterceptor];
  return [atWork === 'searches' ? searchInterceptor : readInterceptor];
}

export const PUBLIC = 'public';

/** Decorator: no token is needed for the route, or for all routes of the controller. */
export const Public = () => SetMetadata(PUBLIC, true);

export interface AuthenticatedRequest extends Request {
  caller: Caller;
  /** Absent if the caller is a program with an API key. */
  identity?: Identity;
  /** The caller, on routes for operators. */
  operator?: OperatorIdentity;
}

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);

/** The session of the caller. Only for routes that refuse API keys. */
export const CurrentIdentity = createParamDecorator(
  (_: unknown, context: ExecutionContext): Identity =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().identity!,
);

/** The caller as an operator. Only for routes for operators. */
export const Operator = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorIdentity =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().operator!,
);

export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller.userId,
);

/** Parameter decorator: a signal that aborts if the client disconnects before the response is sent. */
export const ClientSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
});
