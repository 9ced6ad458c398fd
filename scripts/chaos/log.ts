/**
 * What the clients of a round saw. The checker reads these logs, the tables and the store, and nothing else: its types
 * are its own, so that a change of the product's types cannot change what is checked.
 */

/** A job as an answer or an event tells it. */
export interface SeenJob {
  id: string;
  status: string;
  attempts: number;
  credits: number;
  revision: number;
  partial?: string | null;
  result: Record<string, unknown> | null;
  resultDeleted?: boolean;
  error: { code: string } | null;
}

export interface SeenDelta {
  id: string;
  attempt: number;
  offset: number;
  text: string;
}

/** An HTTP call. `status` is null when no answer came. */
export interface HttpRecord {
  method: string;
  path: string;
  status: number | null;
  code: string | null;
  retryAfter: boolean;
  /** The whole JSON answer of a failure. */
  body: unknown;
}

/** A batch of pictures that the product accepted, and what its user was told of it. */
export interface SeenBatch {
  id: string;
  /** The names of its pictures, in their order. */
  names: string[];
  key: string | null;
  /** The numbers of pictures that were received. */
  sent: Set<number>;
  /** The numbers of pictures that were left out, and of those that may have been. */
  leftOut: Set<number>;
  maybeLeftOut: Set<number>;
  cancelled: 'no' | 'yes' | 'uncertain';
  /** The names in its ZIP once all jobs have ended; empty where it has none, null where none could be read. */
  zip: string[] | null;
}

/** A version of a creation. */
export interface SeenVersion {
  id: string;
  creationId: string;
  label: string;
  state: 'saved' | 'deleted' | 'uncertain';
}

/** The state of a batch as an event tells it. */
export interface BatchEvent {
  id: string;
  revision: number;
  counts: Record<string, number>;
}

/** A job that the product accepted. */
export interface Accepted {
  jobId: string;
  tool: string;
  /** Unique words in what was sent; of a retry, those of the first job. */
  marker: string;
  key: string | null;
  retryOf: string | null;
  /** The creation that is its input. */
  source?: string;
  /** How many jobs its request started, where it is the first of several. */
  groupOf?: number;
}

export interface TabLog {
  name: string;
  deltas: (SeenDelta & { connection: number })[];
  jobs: SeenJob[];
  batches: BatchEvent[];
  accounts: { userId: string; remaining: number | null }[];
  /** What this tab shows at the end: the newest state of each job that it knows. */
  view: Map<string, SeenJob>;
  connections: number;
  isConnected: boolean;
  /** What its socket said, with the time: for whoever reads why it did not connect. */
  socket: string[];
  /** False once the person has closed it. */
  isOpen: boolean;
  /** Whether it was once seen connected with every job at its end: the next round's faults may cut it off again. */
  hasShownTheEnd: boolean;
}

export interface PersonLog {
  id: string;
  email: string;
  name: string;
  /** Whether the person was on this plan all the time. */
  plan: 'free' | 'premium';
  switchedPlan: boolean;
  http: HttpRecord[];
  accepted: Accepted[];
  /** Jobs as GET and other answers told them. */
  reads: SeenJob[];
  tabs: TabLog[];
  batches: SeenBatch[];
  versions: SeenVersion[];
  deletedCreations: Set<string>;
  /** Creations whose deletion or restoration may or may not have happened. */
  uncertainCreations: Set<string>;
  deletedAccount: 'no' | 'yes' | 'uncertain';
  /** Promises that a client saw broken by itself. */
  violations: string[];
}

export const newLog = (id: string, email: string, name: string, plan: PersonLog['plan']): PersonLog => ({
  id,
  email,
  name,
  plan,
  switchedPlan: false,
  http: [],
  accepted: [],
  reads: [],
  tabs: [],
  batches: [],
  versions: [],
  deletedCreations: new Set(),
  uncertainCreations: new Set(),
  deletedAccount: 'no',
  violations: [],
});

export const isEnded = ({ status }: { status: string }) =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';
