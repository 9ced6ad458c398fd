import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import type { Route as RouteContract } from '#libs/contract/routes/define-route.js';
import { routes, type Answer, type RouteName } from '#libs/contract/routes/table.js';
import { Public } from './public.js';

/** A handler returns its JSON answer, or nothing if it writes the response itself. */
type Handled<N extends RouteName> = [Answer<N>] extends [never] ? void : Answer<N>;

/** Mounts a handler at a route of the table. A handler whose answer does not fit the table does not compile. */
export function Route<N extends RouteName>(name: N) {
  const { method, path, public: isPublic }: RouteContract = routes[name];
  const decorate = applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(200),
    ...(isPublic ? [Public()] : []),
  );
  return <H extends (...parameters: never[]) => Handled<N> | Promise<Handled<N>>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => decorate(target, key, descriptor);
}
