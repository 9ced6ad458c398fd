import { describe, expect, it } from '@jest/globals';
import { BudgetQueueFull, BudgetTooSmall, MemoryBudget } from './memory-budget.js';

/** Waits until the callbacks of settled promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a memory budget', () => {
  it('never exceeds its total with concurrent tasks', async () => {
    const budget = new MemoryBudget(100);
    let used = 0;
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const bytes = 1 + ((i * 37) % 100);
        const giveBack = await budget.take(bytes);
        used += bytes;
        seen.push(used);
        await settled();
        used -= bytes;
        giveBack();
      }),
    );
    expect(Math.max(...seen)).toBeLessThanOrEqual(100);
    expect(seen).toHaveLength(200);
  });

  it('keeps the order, so that a large task is not starved', async () => {
    const budget = new MemoryBudget(10);
    const first = await budget.take(6);
    const started: string[] = [];
    const large = budget.take(10).then((giveBack) => (started.push('large'), giveBack));
    const small = budget.take(1).then((giveBack) => (started.push('small'), giveBack));
    await settled();
    expect(started).toEqual([]);
    first();
    (await large)();
    await small;
    expect(started).toEqual(['large', 'small']);
  });

  it('releases memory once, even if called twice', async () => {
    const budget = new MemoryBudget(10);
    const giveBack = await budget.take(10);
    giveBack();
    giveBack();
    await budget.take(10);
    let isStarted = false;
    void budget.take(1).then(() => (isStarted = true));
    await settled();
    expect(isStarted).toBe(false);
  });

  it('refuses a task that never fits, and one that finds the queue full', async () => {
    const budget = new MemoryBudget(10, 1);
    await expect(budget.take(11)).rejects.toBeInstanceOf(BudgetTooSmall);
    await budget.take(10);
    void budget.take(1);
    await expect(budget.take(1)).rejects.toBeInstanceOf(BudgetQueueFull);
  });

  it('drops a task that is aborted while it waits', async () => {
    const budget = new MemoryBudget(10);
    const first = await budget.take(8);
    const [controller, reason] = [new AbortController(), new Error('cancelled')];
    const large = budget.take(9, controller.signal);
    const small = budget.take(2);
    controller.abort(reason);
    await expect(large).rejects.toBe(reason);
    await small;
    first();
    await expect(budget.take(1, AbortSignal.abort(reason))).rejects.toBe(reason);
    await budget.take(8);
  });
});
