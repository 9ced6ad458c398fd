import { createHash } from 'node:crypto';

/** The direction of a vector, with one byte for each component. */
export type Direction = Int8Array;

/** The cache key of a passage's vector, which changes with the text and the model. */
export const vectorKey = (text: string, model = 'minilm'): string =>
  createHash('sha256').update(`${model} ${text}`).digest('base64url');

export function toDirection(vector: ArrayLike<number>): Direction {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127));
}

/** The cosine of the angle between two vectors: 1 for the same meaning, about 0 for unrelated ones. */
export function similarity(a: Direction, b: Direction): number {
  let [product, lengthA, lengthB] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return product / (Math.sqrt(lengthA * lengthB) || 1);
}
