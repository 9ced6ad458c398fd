import type { LiveEvents } from '#libs/events/live-events.js';

/** Publishes changes of creations to their users' open pages, after the commit. */
export class CreationEvents {
  constructor(private readonly live: Pick<LiveEvents, 'publishToUser'>) {}

  /** Creations were deleted, restored, published, unpublished, edited, renamed or tagged, or their versions changed. */
  creationsChanged(userId: string, ids: string[]): void {
    const [id] = ids;
    if (id !== undefined)
      this.live.publishToUser(userId, 'creation', ids.length === 1 ? { id } : { id, ids });
  }

  /** The user saved, renamed or deleted a search. */
  searchesChanged(userId: string): void {
    this.live.publishToUser(userId, 'searches');
  }
}
