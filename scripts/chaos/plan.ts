import { Random } from '../stack/random.ts';

/** What a person does. Which job or creation it is done to is chosen by `share` among those there are by then. */
export interface Action {
  /** Milliseconds after the one before. */
  wait: number;
  name: ActionName;
  /** From 0 to below 1. */
  share: number;
  /** Which of two apis, by its index. */
  api: number;
  /** How a submission is sent. */
  sends: 'async' | 'held' | 'twice' | 'keyed';
  /** How the provider answers, as a marker of the fake provider; none is a whole answer. */
  provider: string;
}

/** What a person is submitted to, and what they do beside it. */
const actions = {
  article: 16,
  titles: 6,
  humanize: 5,
  rewrite: 4,
  image: 7,
  background: 1,
  object: 1,
  review: 3,
  score: 2,
  bullets: 2,
  letter: 2,
  chat: 4,
  previewMask: 3,
  group: 2,
  changeImage: 3,
  batch: 4,
  sendItem: 3,
  leaveOutItem: 2,
  cancelBatch: 2,
  flow: 4,
  retryStep: 3,
  cancelFlow: 1,
  saveVersion: 5,
  restoreVersion: 2,
  deleteVersion: 2,
  cancel: 9,
  retry: 4,
  mismatch: 2,
  readJob: 5,
  listJobs: 2,
  listCreations: 2,
  search: 2,
  publish: 3,
  withdraw: 2,
  like: 3,
  deleteCreation: 4,
  restoreCreation: 1,
  download: 3,
  setPicture: 1,
  removePicture: 1,
  rename: 1,
  switchPlan: 1,
  readChats: 1,
  clearChats: 1,
  account: 3,
  openTab: 3,
  closeTab: 1,
  dropTab: 3,
  spy: 4,
};
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

/** How the provider answers, by weight. */
const answers = {
  '': 40,
  '[[pace:15]]': 14,
  '[[slow]]': 4,
  '[[429:1]]': 4,
  '[[429]]': 1,
  '[[500:1]]': 4,
  '[[500]]': 1,
  '[[503:2]]': 1,
  '[[401]]': 1,
  '[[400]]': 2,
  '[[cut:1]]': 5,
  '[[cut]]': 1,
  '[[broken:1]]': 3,
  '[[hang:headers]]': 1,
  '[[hang]]': 1,
  '[[hang:stream]]': 2,
  '[[empty]]': 2,
  '[[length]]': 1,
  '[[content_filter]]': 1,
  '[[unfinished]]': 1,
  '[[garbage:1]]': 2,
  '[[endless]]': 1,
  '[[reasoning]]': 1,
};

export interface PersonPlan {
  plan: 'free' | 'premium';
  actions: Action[];
  /** Whether the account is deleted after the last action. */
  deletesAccount: boolean;
}

export interface Fault {
  /** Milliseconds from the beginning of the round. */
  at: number;
  /** Milliseconds until what failed is back. */
  lasting: number;
  name: FaultName;
  /** Chooses one of several programs or connections: from 0 to below 1. */
  share: number;
  /** What else the fault needs, such as the seconds by which a clock jumps. */
  amount: number;
}

/** Every fault with its weight. A backend leaves out those that it cannot have. */
const faults = {
  killApi: 3,
  stopApi: 2,
  freezeApi: 2,
  killWorker: 4,
  stopWorker: 3,
  freezeWorker: 4,
  killWorkers: 2,
  endDatabaseConnections: 3,
  crashDatabase: 1,
  startBeforeDatabase: 1,
  freezeDatabase: 1,
  restartRedis: 3,
  flushRedis: 3,
  freezeRedis: 2,
  loseQueueEntries: 2,
  storeAway: 3,
  resetConnections: 3,
  refuseConnections: 3,
  stallConnections: 3,
  providerAway: 2,
  clockJump: 3,
  diskFull: 3,
};
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

export interface RoundPlan {
  seed: number;
  people: PersonPlan[];
  faults: Fault[];
}

/** Milliseconds in which a round's people act and its faults begin. */
const ACTIVE_MS = 3_000;
const CLOCK_JUMPS = [-3_600, -300, -20, 20, 300, 3_600];

/** A round is a pure function of its seed and of the faults that the backend can have. */
export function planRound(seed: number, possible: readonly FaultName[] = faultNames): RoundPlan {
  const random = new Random(seed);
  const people = Array.from({ length: random.whole(3, 5) }, (_, i) => planPerson(random, i));
  const weights = Object.fromEntries(possible.map((name) => [name, faults[name]]));
  const planned = Array.from({ length: random.whole(1, 3) }, (): Fault => ({
    at: random.whole(300, ACTIVE_MS),
    lasting: random.whole(100, 3_500),
    name: random.weighted(weights) as FaultName,
    share: random.next(),
    amount: random.pick(CLOCK_JUMPS),
  }));
  return { seed, people, faults: planned.toSorted((one, other) => one.at - other.at) };
}

function planPerson(random: Random, index: number): PersonPlan {
  const count = random.whole(6, 12);
  return {
    // There is always one of each plan.
    plan: index === 0 || (index > 1 && random.chance(0.5)) ? 'premium' : 'free',
    actions: Array.from({ length: count }, () => planAction(random, ACTIVE_MS / count)),
    deletesAccount: random.chance(0.12),
  };
}

const planAction = (random: Random, pace: number): Action => ({
  wait: random.whole(0, 2 * pace),
  name: random.weighted(Object.fromEntries(actionNames.map((name) => [name, actions[name]]))) as ActionName,
  share: random.next(),
  api: random.whole(0, 1),
  sends: random.weighted({ async: 5, keyed: 3, twice: 3, held: 2 }),
  provider: random.weighted(answers),
});
