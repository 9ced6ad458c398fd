import { APIError } from 'openai';
import type { Clock } from '#libs/config/clock.js';
import { isRefusedParameter } from './openai-errors.js';

type RequestParameters = Record<string, unknown>;

/** When the server refused a parameter (`clock.elapsed()`), and the sizes that it has in place of a refused one. */
interface Refusal {
  at: number;
  sizes: string[];
}

/** A parameter that the server refused is sent again after an hour. */
const RETRY_AFTER_MS = 60 * 60_000;

/**
 * Leaves out the optional parameters that a server refuses, such as `response_format` or `stream`, and remembers them. Use one
 * instance for each server, model and operation.
 */
export class AcceptedParameters {
  private readonly refused = new Map<string, Refusal>();

  constructor(private readonly clock: Clock) {}

  /**
   * Calls `request` with the wanted parameters. After a refusal, repeats it without the parameters that the error names; if
   * it names none, first without streaming, then without `response_format`.
   */
  async send<T>(wanted: RequestParameters, request: (accepted: RequestParameters) => Promise<T>): Promise<T> {
    const refusedNow = new Map<string, Refusal>();
    for (;;) {
      const accepted = replaceRefused(wanted, new Map([...this.remembered(), ...refusedNow]));
      try {
        const answer = await request(accepted);
        for (const [name, refusal] of refusedNow) this.refused.set(name, refusal);
        return answer;
      } catch (error) {
        const names = error instanceof APIError ? refusedNames(error, Object.keys(accepted)) : [];
        if (names.length === 0) throw error;
        const sizes = sizesIn((error as APIError).message);
        for (const name of names)
          // A size that the server listed and then refused is left out.
          refusedNow.set(name, {
            at: this.clock.elapsed(),
            sizes:
              name === 'size' && !refusedNow.has(name) ? sizes.filter((size) => size !== accepted.size) : [],
          });
      }
    }
  }

  private remembered() {
    return [...this.refused].filter(([, { at }]) => this.clock.elapsed() - at < RETRY_AFTER_MS);
  }
}

/** Leaves out refused parameters. A refused size is replaced by the server's nearest, if it named any. */
function replaceRefused(wanted: RequestParameters, refused: ReadonlyMap<string, Refusal>): RequestParameters {
  const entries = Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
    const refusal = refused.get(name);
    if (refusal === undefined) return [[name, value]];
    const other = name === 'size' && nearestSize(String(value), refusal.sizes);
    return other ? [[name, other]] : [];
  });
  return Object.fromEntries(entries);
}

/** Parameters that are only valid with another one. */
const partOf: Record<string, string> = { partial_images: 'stream' };

/** Words with which servers refuse a size. */
const SIZE_WORDS = 'size|image_size|width|height|resolution|dimensions?|aspect[ _-]?ratio';

/** The names among `names` that the error refuses: those it mentions, or else the likeliest. */
function refusedNames(error: Pick<APIError, 'status' | 'param' | 'message'>, names: string[]): string[] {
  if (!isRefusedParameter(error) && error.status !== 500) return [];
  const text = `${error.param ?? ''} ${error.message}`;
  const named = names.filter((name) =>
    new RegExp(`(?<![a-z_])(${name === 'size' ? SIZE_WORDS : name})(?![a-z_])`, 'i').test(text),
  );
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
