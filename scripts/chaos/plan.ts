import { Random } from '../stack/random.ts';
import weights from './weights.json' with { type: 'json' };

export type ActionName = keyof typeof weights.actions;
export const actionNames = Object.keys(weights.actions) as ActionName[];

/** A step of a user. `share` chooses one of the existing jobs or creations. */
export interface Action {
  /** Milliseconds after the previous action. */
  wait: number;
  name: ActionName;
  /** From 0 to below 1. */
  share: number;
  /** The index of one of two apis. */
  api: number;
  /** The way to send a submission. */
  sends: keyof typeof weights.sends;
  /** A marker for the answer of the fake provider; empty for a whole answer. */
  provider: string;
}

export interface UserPlan {
  plan: 'free' | 'premium';
  actions: Action[];
  /** True: the account is deleted after the last action. */
  deletesAccount: boolean;
}

export type FaultName = keyof typeof weights.faults;
export const faultNames = Object.keys(weights.faults) as FaultName[];

export interface Fault {
  /** Milliseconds from the beginning of the round. */
  at: number;
  /** Duration in milliseconds. */
  lasting: number;
  name: FaultName;
  /** Chooses one of several programs or connections: from 0 to below 1. */
  share: number;
  /** A further parameter, such as the seconds of a clock jump. */
  amount: number;
}

export interface RoundPlan {
  seed: number;
  users: UserPlan[];
  faults: Fault[];
}

/** Milliseconds in which the users of a round act and its faults begin. */
const ACTIVE_MS = 3_000;
const CLOCK_JUMPS = [-3_600, -300, -20, 20, 300, 3_600];

/** Plans a round: a pure function of its seed and of the possible faults. */
export function planRound(seed: number, possible: readonly FaultName[] = faultNames): RoundPlan {
  const random = new Random(seed);
  const users = Array.from({ length: random.whole(3, 5) }, (_, i) => planUser(random, i));
  const faults = Object.fromEntries(possible.map((name) => [name, weights.faults[name]]));
  const planned = Array.from({ length: random.whole(1, 3) }, (): Fault => ({
    at: random.whole(300, ACTIVE_MS),
    lasting: random.whole(100, 3_500),
    name: random.weighted(faults) as FaultName,
    share: random.next(),
    amount: random.pick(CLOCK_JUMPS),
  }));
  return { seed, users, faults: planned.toSorted((one, other) => one.at - other.at) };
}

function planUser(random: Random, index: number): UserPlan {
  const count = random.whole(6, 12);
  return {
    // Each round has both plans.
    plan: index === 0 || (index > 1 && random.chance(0.5)) ? 'premium' : 'free',
    actions: Array.from({ length: count }, () => planAction(random, ACTIVE_MS / count)),
    deletesAccount: random.chance(0.12),
  };
}

const planAction = (random: Random, pace: number): Action => ({
  wait: random.whole(0, 2 * pace),
  name: random.weighted(weights.actions),
  share: random.next(),
  api: random.whole(0, 1),
  sends: random.weighted(weights.sends),
  provider: random.weighted(weights.providerAnswers),
});
