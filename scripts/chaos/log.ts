/**
 * Logs of the clients of a round. The checker reads only these logs, the tables and the store. Its types are its own, so
 * that a change of the product's types cannot change the checks.
 */

/** A job from an answer or an event. */
export interface ReceivedJob {
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

export interface ReceivedDelta {
  id: string;
  attempt: number;
  offset: number;
  text: string;
}

/** An HTTP call. `status` is null without an answer. */
export interface HttpRecord {
  method: string;
  path: string;
  status: number | null;
  code: string | null;
  retryAfter: boolean;
  /** The JSON answer of a failed call. */
  body: unknown;
}

export interface SentBatch {
  id: string;
  /** The names of its pictures in order. */
  names: string[];
  key: string | null;
  /** The numbers of received pictures. */
  sent: Set<number>;
  /** The numbers of skipped pictures, and of possibly skipped pictures. */
  leftOut: Set<number>;
  maybeLeftOut: Set<number>;
  cancelled: 'no' | 'yes' | 'uncertain';
  /** File names in its ZIP after the end of all jobs; empty without a ZIP, null if the ZIP could not be read. */
  zip: string[] | null;
}

export interface SavedVersion {
  id: string;
  creationId: string;
  label: string;
  state: 'saved' | 'deleted' | 'uncertain';
}

export interface BatchEvent {
  id: string;
  revision: number;
  counts: Record<string, number>;
}

export interface Accepted {
  jobId: string;
  tool: string;
  /** A unique word in the request; a retry has the word of the first job. */
  marker: string;
  key: string | null;
  retryOf: string | null;
  /** The id of the creation that is its input. */
  source?: string;
  /** The number of jobs of its request; only on the first of several jobs. */
  groupOf?: number;
}

export interface TabLog {
  name: string;
  deltas: (ReceivedDelta & { connection: number })[];
  jobs: ReceivedJob[];
  batches: BatchEvent[];
  accounts: { userId: string; remaining: number | null }[];
  /** The newest state of each job that the tab received. */
  view: Map<string, ReceivedJob>;
  connections: number;
  isConnected: boolean;
  /** Events of its socket with their times. */
  socket: string[];
  /** False once the user has closed the tab. */
  isOpen: boolean;
  /** True once the connected tab showed every job as ended; later faults may disconnect it again. */
  isComplete: boolean;
}

/** An act of the operator. `status` is null without an answer. */
export interface OperatorAct {
  action: string;
  /** The id of the job or user. */
  target: string;
  reason: string;
  status: number | null;
}

export interface UserLog {
  id: string;
  email: string;
  name: string;
  /** The plan after the sign-up. */
  plan: 'free' | 'premium';
  switchedPlan: boolean;
  http: HttpRecord[];
  accepted: Accepted[];
  /** Jobs from answers. */
  reads: ReceivedJob[];
  tabs: TabLog[];
  batches: SentBatch[];
  versions: SavedVersion[];
  /** Only of the operator. */
  acts: OperatorAct[];
  deletedCreations: Set<string>;
  /** Creations whose deletion or restoration may or may not have happened. */
  uncertainCreations: Set<string>;
  deletedAccount: 'no' | 'yes' | 'uncertain';
  /** Violations that a client found. */
  violations: string[];
}

export const newLog = (id: string, email: string, name: string, plan: UserLog['plan']): UserLog => ({
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
  acts: [],
  deletedCreations: new Set(),
  uncertainCreations: new Set(),
  deletedAccount: 'no',
  violations: [],
});

export const isEnded = ({ status }: { status: string }) =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';
