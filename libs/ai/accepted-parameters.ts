import { APIError } from 'openai';
import type { Clock } from '#libs/config/clock.js';
import { isRefusedParameter } from './openai-errors.js';

type Parameters = Record<string, unknown>;

/** A parameter that the server refused is sent again after an hour. */
const RETRY_AFTER_MS = 60 * 60_000;

/**
 * Leaves out the optional parameters that a server refuses, such as `response_format` or `stream`, and remembers them. Use one
 * instance for each server, model and operation.
 */
export class AcceptedParameters {
  /** By name: when the server refused it (`clock.elapsed()`), and the sizes that it has instead. */
  private readonly refused = new Map<string, { at: number; sizes: string[] }>();

  constructor(private readonly clock: Clock) {}

  /**
   * Calls `request` with the wanted parameters. After a refusal, repeats it without the parameters that the error names; if
   * it names none, first without streaming, then without `response_format`.
   */
  async send<T>(wanted: Parameters, request: (accepted: Parameters) => Promise<T>): Promise<T> {
    const refusedNow = new Map<string, { at: number; sizes: string[] }>();
    for (;;) {
      const accepted = this.without(wanted, new Map([...this.current(), ...refusedNow]));
      try {
        const answer = await request(accepted);
        for (const [name, refusal] of refusedNow) this.refused.set(name, refusal);
        return answer;
      } catch (error) {
        const names = error instanceof APIError ? refusedNames(error, Object.keys(accepted)) : [];
        if (names.length === 0) throw error;
        const sizes = sizesIn((error as APIError).message);
        for (const name of names)
          // A listed size that is refused as well is left out the second time.
          refusedNow.set(name, {
            at: this.clock.elapsed(),
            sizes:
              name === 'size' && !refusedNow.has(name) ? sizes.filter((size) => size !== accepted.size) : [],
          });
      }
    }
  }

  private current() {
    return [...this.refused].filter(([, { at }]) => this.clock.elapsed() - at < RETRY_AFTER_MS);
  }

  private without(wanted: Parameters, refused: ReadonlyMap<string, { sizes: string[] }>): Parameters {
    const entries = Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
      const refusal = refused.get(name);
      if (refusal === undefined) return [[name, value]];
      const other = name === 'size' && nearestSize(String(value), refusal.sizes);
      return other ? [[name, other]] : [];
    });
    return Object.fromEntries(entries);
  }
}

/** Parameters without a meaning of their own. */
const partOf: Record<string, string> = { partial_images: 'stream' };

function refusedNames(error: Pick<APIError, 'status' | 'param' | 'message'>, names: string[]): string[] {
  if (!isRefusedParameter(error) && error.status !== 500) return [];
  const text = `${error.param ?? ''} ${error.message}`;
  const named = names.filter((name) => new RegExp(`(?<![a-z_])${name}(?![a-z_])`, 'i').test(text));
  const likely = ['stream', 'response_format'].find((name) => names.includes(name));
  const refused = named.length > 0 ? named : likely && error.status !== 500 ? [likely] : [];
  const together = refused.map((name) => partOf[name] ?? name);
  return names.filter((name) => together.includes(partOf[name] ?? name));
}

const sizesIn = (text: string) => [...new Set(text.match(/\b\d{3,4}x\d{3,4}\b/g))];

/** The size whose shape is most like the wanted one. */
export function nearestSize(wanted: string, sizes: readonly string[]): string | undefined {
  const shape = (size: string) => {
    const [width, height] = size.split('x').map(Number) as [number, number];
    return Math.log(width / height);
  };
  return [...sizes].sort(
    (one, other) => Math.abs(shape(one) - shape(wanted)) - Math.abs(shape(other) - shape(wanted)),
  )[0];
}
