/** Strength of the attacks in tests: `ATTACK_STRENGTH=2` sends twice as many requests as the default. */
export const STRENGTH = Number(process.env.ATTACK_STRENGTH ?? 1);

/** A user's calls during an attack. */
export interface Impact {
  statuses: number[];
  /** Milliseconds of the slowest call. */
  slowest: number;
}

/** Sends calls one after the other until the attack has ended. */
export async function during(attack: Promise<unknown>, call: () => Promise<Response>): Promise<Impact> {
  let ended = false;
  const end = attack.finally(() => (ended = true));
  const impact: Impact = { statuses: [], slowest: 0 };
  while (!ended) {
    const begun = performance.now();
    const answer = await call();
    await answer.arrayBuffer();
    impact.statuses.push(answer.status);
    impact.slowest = Math.max(impact.slowest, performance.now() - begun);
  }
  await end;
  return impact;
}
