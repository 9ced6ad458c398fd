import type { Account } from './account.js';
import type { Batch } from './batches.js';
import type { Flow } from './flows.js';
import type { Job, Preview, Waiting } from './jobs.js';

/** A chunk of a job's streamed text. */
export interface JobDelta {
  id: string;
  attempt: number;
  /** Length of the attempt's text before this chunk, in UTF-16 code units. */
  offset: number;
  text: string;
}

/** A job's new position in the queue. The job's `revision` does not change, so apply it regardless of the revision. */
export interface JobPosition {
  id: string;
  position: number;
  etaSeconds: number | null;
  waiting: Waiting;
}

/** A new preview of a running job. The job's `revision` does not change. Clients must ignore previews of older attempts. */
export interface JobPreview extends Preview {
  id: string;
}

/** Sent when a creation or its versions changed, or when it was published, unpublished, deleted or restored. */
export interface CreationChange {
  id: string;
  /** All creations that one request changed, including `id`; absent if only one changed. */
  ids?: string[];
}

/**
 * Every event from the server to a browser. Events can arrive out of order: clients must ignore a `job`, `batch` or `flow`
 * whose `revision` is lower than the one they have.
 */
export interface ServerEvents {
  job: (job: Job) => void;
  'job:delta': (delta: JobDelta) => void;
  batch: (batch: Batch) => void;
  flow: (flow: Flow) => void;
  /** Not sent for jobs of a batch. */
  'job:position': (position: JobPosition) => void;
  'job:preview': (preview: JobPreview) => void;
  /** Clients must refetch the creation if they show it. Not sent for a new creation, which is in its job's `job` event. */
  creation: (change: CreationChange) => void;
  searches: () => void;
  /** Sent when notebooks, their documents or notes changed by a request. Changes by a job are in its `job` event. */
  notebooks: () => void;
  account: (account: Account) => void;
  /** Asks the client to send a new token, because its token expires in `seconds`; 0 after a session of the user ended. */
  'token:expiring': (notice: { seconds: number }) => void;
}

export interface ClientEvents {
  token: (renewal: { token: string }, acknowledge: (answer: { success: boolean }) => void) => void;
}
