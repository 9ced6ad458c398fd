import { expect, it } from '@jest/globals';
import { gather } from './gather.js';

/** Gathers calls and records their groups. The test ends each group. */
function gathering(limits: Parameters<typeof gather>[0]) {
  const groups: { items: number[]; end: PromiseWithResolvers<void> }[] = [];
  const call = gather(limits, async (items: number[]) => {
    const group = { items, end: Promise.withResolvers<void>() };
    groups.push(group);
    await group.end.promise;
    return items.map((item) => -item);
  });
  return { call, groups, itemsOf: () => groups.map(({ items }) => items) };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

it('combines concurrent calls, and returns each its own answer', async () => {
  const { call, groups, itemsOf } = gathering({ atMost: 10, groups: 2 });
  const answers = Promise.all([1, 2, 3].map(call));
  await turn();
  expect(itemsOf()).toEqual([[1, 2, 3]]);
  groups[0]!.end.resolve();
  expect(await answers).toEqual([-1, -2, -3]);
});

it('limits the size of a group, and lets calls wait while all groups run', async () => {
  const { call, groups, itemsOf } = gathering({ atMost: 2, groups: 1 });
  const answers = Promise.all([1, 2, 3].map(call));
  await turn();
  const later = call(4);
  await turn();
  expect(itemsOf()).toEqual([[1, 2]]);
  groups[0]!.end.resolve();
  await turn();
  expect(itemsOf()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  groups[1]!.end.resolve();
  expect([...(await answers), await later]).toEqual([-1, -2, -3, -4]);
});

it('fails a group whose call fails, and continues with the next', async () => {
  const { call, groups } = gathering({ atMost: 2, groups: 1 });
  const [first, second, third] = [1, 2, 3].map(call);
  await turn();
  groups[0]!.end.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect(second).rejects.toThrow('away');
  await turn();
  groups[1]!.end.resolve();
  expect(await third).toBe(-3);
});
