import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseInterceptors,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map } from 'rxjs';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import type { Caller, Identity } from '#libs/accounts/identity.js';
import { scopeOf, type Route as RouteContract } from '#libs/contract/routes/define-route.js';
import { routes, type Answer, type RouteName } from '#libs/contract/routes/table.js';

type WithoutSuccess<A> = A extends unknown ? Omit<A, 'success'> : never;

/**
 * Return type of a handler: the fields of its JSON response without `success`, or void if it writes the response
 * itself.
 */
type Handled<N extends RouteName> = [Answer<N>] extends [never] ? void : WithoutSuccess<Answer<N>>;

/** Adds `success: true` to each JSON response. */
const answerSuccess: NestInterceptor = {
  intercept: (_context, handler) =>
    handler.handle().pipe(map((fields?: object) => fields && { success: true, ...fields })),
};

/** Decorator that mounts a handler at a route of the contract. The handler's return type is checked against the route. */
export function Route<N extends RouteName>(name: N) {
  const route: RouteContract = routes[name];
  const { method, path, public: isPublic, admin } = route;
  const decorate = applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(200),
    UseInterceptors(answerSuccess),
    SetMetadata(SCOPE, scopeOf(route)),
    SetMetadata(READ, method === 'GET' && path.startsWith('/api/') && isJson(route)),
    ...(isPublic ? [Public()] : []),
    ...(admin ? [SetMetadata(ADMIN, true)] : []),
  );
  return <H extends (...parameters: never[]) => Handled<N> | Promise<Handled<N>>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => decorate(target, key, descriptor);
}

/** Metadata of a handler: the scope that an API key needs for it. Keys are refused where it is absent or null. */
export const SCOPE = 'scope';

/** Metadata of a handler: true if only operators may call it. */
export const ADMIN = 'admin';

/** Metadata of a handler: true if it reads, and its answer is JSON. */
export const READ = 'read';

const isJson = ({ answers }: RouteContract) => answers[200]?.content['application/json'] !== undefined;

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
