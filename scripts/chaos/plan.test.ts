import { expect, it } from '@jest/globals';
import { actionNames, faultNames, planRound } from './plan.ts';

it('plans a round by its seed alone', () => {
  expect(planRound(7)).toEqual(planRound(7));
  expect(planRound(7)).not.toEqual(planRound(8));
});

it('plans only faults that are possible', () => {
  const faults = Array.from({ length: 50 }, (_, seed) => planRound(seed, ['killApi', 'diskFull']).faults);
  expect(new Set(faults.flat().map(({ name }) => name))).toEqual(new Set(['killApi', 'diskFull']));
});

it('plans every fault and every action, within a few hundred rounds', () => {
  const rounds = Array.from({ length: 300 }, (_, seed) => planRound(seed));
  expect(new Set(rounds.flatMap(({ faults }) => faults.map(({ name }) => name)))).toEqual(
    new Set(faultNames),
  );
  const actions = rounds.flatMap(({ users }) => users.flatMap((user) => user.actions));
  expect(new Set(actions.map(({ name }) => name))).toEqual(new Set(actionNames));
  for (const { users } of rounds)
    expect(new Set(users.map(({ plan }) => plan))).toEqual(new Set(['free', 'premium']));
});
