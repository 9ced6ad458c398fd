import type { LiveEvents } from '#libs/events/live-events.js';

/** Publishes changes of creations to the user's open pages. Callers must have committed the change. */
export class CreationEvents {
  constructor(private readonly live: Pick<LiveEvents, 'publishToUser'>) {}

  /** Publishes that creations, their tags or their versions changed, or that creations were deleted or restored. */
  creationsChanged(userId: string, ids: string[]): void {
    const [id] = ids;
    if (id !== undefined)
      this.live.publishToUser(userId, 'creation', ids.length === 1 ? { id } : { id, ids });
  }

  /** Publishes that the user's saved searches changed. */
  searchesChanged(userId: string): void {
    this.live.publishToUser(userId, 'searches');
  }
}
