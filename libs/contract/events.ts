import type { Account } from './account.js';
import type { Batch } from './batches.js';
import type { Flow } from './flows.js';
import type { Job, Preview, Waiting } from './jobs.js';

/** A piece of streamed text. `offset` counts the UTF-16 code units before this piece in its attempt. */
export interface JobDelta {
  id: string;
  attempt: number;
  offset: number;
  text: string;
}

/** A job's new position in the queue. It does not change the job's `revision`. */
export interface JobPosition {
  id: string;
  position: number;
  etaSeconds: number | null;
  waiting: Waiting;
}

/** A new preview of a running job. It does not change the job's `revision`. A client drops previews of older attempts. */
export interface JobPreview extends Preview {
  id: string;
}

/** A creation was deleted, restored, published, unpublished, edited, renamed or tagged, or its versions changed. */
export interface CreationChange {
  id: string;
  /** All creations that one request changed, including `id`; absent for one alone. */
  ids?: string[];
}

/** Every event from the server to a browser. A client drops a `job` whose `revision` is older than its own. */
export interface ServerEvents {
  job: (job: Job) => void;
  'job:delta': (delta: JobDelta) => void;
  /** Jobs of a batch have no position events. A client drops a `batch` whose `revision` is older than its own. */
  batch: (batch: Batch) => void;
  /** A client drops a `flow` whose `revision` is older than its own. */
  flow: (flow: Flow) => void;
  'job:position': (position: JobPosition) => void;
  'job:preview': (preview: JobPreview) => void;
  /** A client that shows the creation reads it again. A new creation has no event: its `job` carries it. */
  creation: (change: CreationChange) => void;
  searches: () => void;
  account: (account: Account) => void;
  /** Asks for a new token: this one expires soon, or a session of the user just ended (0 seconds). */
  'token:expiring': (notice: { seconds: number }) => void;
}

export interface ClientEvents {
  token: (renewal: { token: string }, acknowledge: (answer: { success: boolean }) => void) => void;
}
