export interface GatherLimits {
  /** Maximum calls in a group. */
  atMost: number;
  /** Maximum groups that run at the same time. */
  groups: number;
}

/**
 * Combines calls of the same turn of the event loop into a group. Calls that arrive while `groups` groups are running wait,
 * and are then combined too. A single call is not delayed.
 * @param run handles a group. Must return one result for each item, in order. If it rejects, all calls of the group reject.
 */
export function gather<Item, Answer>(
  { atMost, groups }: GatherLimits,
  run: (items: Item[]) => Promise<Answer[]>,
): (item: Item) => Promise<Answer> {
  let waiting: { item: Item; call: PromiseWithResolvers<Answer> }[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= groups || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (running < groups && waiting.length > 0) void runGroup();
    });
  }

  async function runGroup(): Promise<void> {
    const group = waiting.slice(0, atMost);
    waiting = waiting.slice(atMost);
    running += 1;
    try {
      const answers = await run(group.map(({ item }) => item));
      group.forEach(({ call }, index) => call.resolve(answers[index]!));
    } catch (error) {
      for (const { call } of group) call.reject(error);
    }
    running -= 1;
    schedule();
  }

  return (item) => {
    const call = Promise.withResolvers<Answer>();
    waiting.push({ item, call });
    schedule();
    return call.promise;
  };
}
