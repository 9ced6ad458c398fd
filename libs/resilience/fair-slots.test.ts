import { expect, it } from '@jest/globals';
import { FairSlots } from './fair-slots.js';

const { signal } = new AbortController();

/** Takes a slot for each user. @returns the users in the order in which they got one, with their releases */
function takeAll(slots: FairSlots, users: string[], of = signal) {
  const got: { user: string; release: () => void }[] = [];
  for (const user of users) void slots.take(user, of).then((release) => got.push({ user, release }));
  const names = async () => {
    await new Promise(setImmediate);
    return got.map(({ user }) => user);
  };
  return { got, names };
}

it('a user holds a part of the slots, and another user gets the rest at once', async () => {
  const slots = new FairSlots(3, 2);
  const { names } = takeAll(slots, ['eve', 'eve', 'eve', 'eve', 'ada']);
  expect(await names()).toEqual(['eve', 'eve', 'ada']);
});

it('a free slot goes to the user who holds the fewest, then to the first', async () => {
  const slots = new FairSlots(2, 2);
  const { got, names } = takeAll(slots, ['eve', 'eve', 'eve', 'bob', 'ada']);
  expect(await names()).toEqual(['eve', 'eve']);
  for (const index of [0, 1, 2]) {
    got[index]!.release();
    got[index]!.release();
    await names();
  }
  expect(await names()).toEqual(['eve', 'eve', 'bob', 'ada', 'eve']);
});

it('an aborted wait leaves the line', async () => {
  const slots = new FairSlots(1, 1);
  const { got, names } = takeAll(slots, ['eve']);
  await names();
  const waiting = new AbortController();
  const left = slots.take('ada', waiting.signal);
  const after = takeAll(slots, ['bob']);
  waiting.abort(new Error('Cancelled'));
  await expect(left).rejects.toThrow('Cancelled');
  got[0]!.release();
  expect(await after.names()).toEqual(['bob']);
});
