/** Numbers from 0 to below 1, the same in each run (a linear congruential generator of Numerical Recipes). */
export function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
