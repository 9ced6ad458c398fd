import type { FactoryProvider, InjectionToken } from '@nestjs/common';
import { CONFIG, type Config } from './environment.js';

type Token = Exclude<InjectionToken, string>;

/** A constructor argument that is computed from an injected value. */
class Computed<T> {
  constructor(
    readonly token: Token,
    readonly compute: (injected: never) => T,
  ) {}
}

type Dependency = Token | Computed<unknown>;

/**
 * Type of the value that Nest injects for a token. `never` for symbols, whose values have no type; it fits any parameter.
 */
type Injected<D> =
  D extends Computed<infer T>
    ? T
    : D extends typeof CONFIG
      ? Config
      : D extends { prototype: infer T }
        ? T
        : never;

type Values<D> = D extends readonly unknown[]
  ? { -readonly [K in keyof D]: Injected<D[K]> }
  : [{ [K in keyof D]: Injected<D[K]> }];

/** A constructor argument that is computed from the configuration, or is a constant. */
export const value = <T>(compute: (config: Config) => T) => new Computed(CONFIG, compute);

export const valueFrom = <D extends Token, T>(token: D, compute: (injected: Injected<D>) => T) =>
  new Computed(token, compute);

/**
 * Creates a Nest provider that constructs a class.
 * @param dependencies the constructor's arguments; or an object, if the constructor takes one object with these properties
 */
export function provideClass<T, const D extends readonly Dependency[] | Record<string, Dependency>>(
  provide: new (...values: NoInfer<Values<D>>) => T,
  dependencies: D,
): FactoryProvider<T> {
  const list = Object.values<Dependency>(dependencies);
  const make = provide as new (...values: unknown[]) => T;
  return {
    provide,
    inject: list.map((one) => (one instanceof Computed ? one.token : one)),
    useFactory(...injected: unknown[]) {
      const values = list.map((one, n) =>
        one instanceof Computed ? one.compute(injected[n] as never) : injected[n],
      );
      if (Array.isArray(dependencies)) return new make(...values);
      return new make(Object.fromEntries(Object.keys(dependencies).map((name, n) => [name, values[n]])));
    },
  };
}
