/** The maximum calls in a group, and the maximum concurrent groups. */
interface GatherLimits {
  atMost: number;
  groups: number;
}

/**
 * Combines concurrent calls into one: those of one turn of the event loop, and those that arrive while the maximum number of
 * groups runs. A single call is not delayed.
 * @param run returns an answer for each item of a group, in order. If it rejects, all calls of the group reject.
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
