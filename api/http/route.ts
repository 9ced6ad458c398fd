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
import type { Identity } from '#libs/accounts/identity.js';
import type { Route as RouteContract } from '#libs/contract/routes/define-route.js';
import { routes, type Answer, type RouteName } from '#libs/contract/routes/table.js';

type WithoutSuccess<A> = A extends unknown ? Omit<A, 'success'> : never;

/** A handler returns the fields of its JSON answer, or nothing if it writes the response itself. */
type Handled<N extends RouteName> = [Answer<N>] extends [never] ? void : WithoutSuccess<Answer<N>>;

/** Adds `success: true` to the fields of an answer. */
const answerSuccess: NestInterceptor = {
  intercept: (_context, handler) =>
    handler.handle().pipe(map((fields?: object) => fields && { success: true, ...fields })),
};

/** Mounts a handler at a route of the table. A handler whose answer does not fit the table does not compile. */
export function Route<N extends RouteName>(name: N) {
  const { method, path, public: isPublic }: RouteContract = routes[name];
  const decorate = applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(200),
    UseInterceptors(answerSuccess),
    ...(isPublic ? [Public()] : []),
  );
  return <H extends (...parameters: never[]) => Handled<N> | Promise<Handled<N>>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => decorate(target, key, descriptor);
}

export const PUBLIC = 'public';

/** Opens a route, or all routes of a controller, to callers without a token. */
export const Public = () => SetMetadata(PUBLIC, true);

export interface AuthenticatedRequest extends Request {
  identity: Identity;
}

export const CurrentIdentity = createParamDecorator(
  (_: unknown, context: ExecutionContext): Identity =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().identity,
);

export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().identity.userId,
);

/** A signal that aborts when the client disconnects before it has the answer. */
export const ClientSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
});
