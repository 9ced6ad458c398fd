import type { ServerEvents } from '#libs/contract/events.js';

/** Events between processes. They can get lost, so listeners must also poll the database. */
export interface ProcessEvents {
  'job:ended': (jobId: string) => void;
  'job:cancelled': (jobId: string) => void;
  'job:yields': (jobId: string) => void;
  'preview:added': (previewId: string) => void;
  /** The preview's result is stored, or its request has ended. */
  'preview:ended': (previewId: string) => void;
  'user:deleted': (userId: string) => void;
  'user:suspended': (userId: string) => void;
  'session:ended': (sessionId: string) => void;
}

export const processEvents = Object.keys({
  'job:ended': true,
  'job:cancelled': true,
  'job:yields': true,
  'preview:added': true,
  'preview:ended': true,
  'user:deleted': true,
  'user:suspended': true,
  'session:ended': true,
} satisfies Record<keyof ProcessEvents, true>) as (keyof ProcessEvents)[];

/** Gets the name of an event, and its payload if it has one. */
export type UserListener = (event: keyof ServerEvents, payload?: unknown) => void;

/** Publishes events to users' sockets on all api processes, and events between processes. */
export interface LiveEvents {
  publishToUser<E extends keyof ServerEvents>(
    userId: string,
    event: E,
    ...payload: Parameters<ServerEvents[E]>
  ): void;
  /**
   * Calls `listener` for each event that any process publishes to users, after this process has sent it to its own sockets.
   * On Redis, a process gets events of other processes only to users who have sockets or listeners there. These events and the
   * events of {@link subscribe} are sent separately, so either may be lost without the other.
   * @returns a function that unsubscribes
   */
  onPublishedToUser<E extends keyof ServerEvents>(
    event: E,
    listener: (...payload: Parameters<ServerEvents[E]>) => void,
  ): () => void;
  /** Publishes to every process, including this one. */
  publish(event: keyof ProcessEvents, id: string): void;
  /** Calls `listener` for each event of any process. @returns a function that unsubscribes */
  subscribe(event: keyof ProcessEvents, listener: (id: string) => void): () => void;
}

/**
 * Publishes a committed change. Reports errors instead of throwing, because clients and processes can also read the change.
 */
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
