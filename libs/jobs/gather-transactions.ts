import { isDatabaseUnavailable } from '#libs/database/sql.js';
import { gather, type GatherLimits } from '#libs/resilience/gather.js';

/**
 * Concurrent calls share a transaction. A call that is locked, or in a transaction that failed, runs once more alone, so that
 * it does not delay or fail the others.
 * @param together must return one answer for each item, in order: null for a call that is locked. A single item may wait.
 * @param alone waits for locks
 */
export function gatherTransactions<Item, Answer>(
  limits: GatherLimits,
  together: (items: Item[]) => Promise<(Answer | null)[]>,
  alone: (item: Item) => Promise<Answer>,
): (item: Item) => Promise<Answer> {
  const call = gather(limits, async (items: Item[]) => {
    try {
      return await together(items);
    } catch (error) {
      if (items.length === 1 || isDatabaseUnavailable(error)) throw error;
      return items.map(() => null);
    }
  });
  return async (item) => {
    const answer = await call(item);
    return answer === null ? alone(item) : answer;
  };
}
