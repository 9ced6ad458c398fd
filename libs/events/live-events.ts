import type { ServerEvents } from '#libs/contract/events.js';

/** Events between the processes. A hint only: a listener reads the row as well. */
export interface ProcessEvents {
  'job:ended': (jobId: string) => void;
  'job:cancelled': (jobId: string) => void;
  'job:yields': (jobId: string) => void;
  'preview:added': (previewId: string) => void;
  /** It was answered, or its request has ended. */
  'preview:ended': (previewId: string) => void;
  'user:deleted': (userId: string) => void;
  'session:ended': (sessionId: string) => void;
}

export const processEvents = Object.keys({
  'job:ended': true,
  'job:cancelled': true,
  'job:yields': true,
  'preview:added': true,
  'preview:ended': true,
  'user:deleted': true,
  'session:ended': true,
} satisfies Record<keyof ProcessEvents, true>) as (keyof ProcessEvents)[];

/** Publishes from any process to a user's sockets on every api process, and between processes. */
export interface LiveEvents {
  publishToUser<E extends keyof ServerEvents>(
    userId: string,
    event: E,
    ...payload: Parameters<ServerEvents[E]>
  ): void;
  /**
   * Calls `listener` for each event that any process publishes to users, after this process has handed it to its sockets.
   * On Redis these events are in a stream and those of {@link subscribe} come by pub/sub: one may be lost without the other.
   * @returns the function that ends it
   */
  onPublishedToUser<E extends keyof ServerEvents>(
    event: E,
    listener: (...payload: Parameters<ServerEvents[E]>) => void,
  ): () => void;
  /** Publishes to every process, this one included. */
  publish(event: keyof ProcessEvents, id: string): void;
  /** Calls `listener` for each event of any process. @returns the function that ends it */
  subscribe(event: keyof ProcessEvents, listener: (id: string) => void): () => void;
}

/** Publishes what a commit changed. Its failure changes nothing: clients and processes read the rows as well. */
export async function publishSafely(
  onError: (error: Error) => void,
  publish: () => Promise<void>,
): Promise<void> {
  try {
    await publish();
  } catch (error) {
    onError(error as Error);
  }
}
