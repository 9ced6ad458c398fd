/** How many calls go together, and how many such groups are under way at once. */
interface GatherLimits {
  atMost: number;
  groups: number;
}

/**
 * Makes one call of the calls of the same moment: those of one turn of the event loop, and those that come while as many
 * groups as may be are under way. A call that is alone waits for nothing.
 * @param run answers each item of a group, in their order. Where it rejects, all of the group do.
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
