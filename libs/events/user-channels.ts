import type { Cluster, Redis } from 'ioredis';

/** A message of socket.io's cluster adapters. */
export interface AdapterMessage {
  uid: string;
  type: number;
  data?: { requestId?: string; opts?: { rooms?: string[]; except?: string[] } };
}

/** The part of socket.io's adapter that publishes to other processes and gets their messages. */
export interface PublishingAdapter {
  uid: string;
  doPublish(message: AdapterMessage): Promise<string>;
  onMessage(message: AdapterMessage, offset?: string): unknown;
}

/** Numbers of socket.io's message types: an event to sockets, and closing sockets. */
const TYPES_TO_USERS = [3, 6];
const CHANNEL = '{pressroom}:';

interface Subscription {
  users: number;
  subscribed: Promise<unknown>;
}

/**
 * Publishes what is sent to one room on a channel of that room, by Redis's PUBLISH. A process subscribes to the channels of
 * rooms that it has sockets or listeners for, so it does not read the events of all other users. Events are lost
 * while the connection is.
 */
export class UserChannels {
  private readonly subscriptions = new Map<string, Subscription>();
  private ready = Promise.withResolvers<void>();
  private isReady = false;

  constructor(
    private readonly subscriber: Redis | Cluster,
    private readonly isUserRoom: (room: string) => boolean,
  ) {
    subscriber.on('ready', () => {
      const channels = [...this.subscriptions.keys()].map((room) => CHANNEL + room);
      if (channels.length > 0) subscriber.subscribe(...channels).catch(() => undefined);
      this.isReady = true;
      this.ready.resolve();
    });
    subscriber.on('close', () => {
      if (this.isReady) this.ready = Promise.withResolvers<void>();
      this.isReady = false;
    });
  }

  /** Replaces how an adapter publishes to single rooms of users. */
  connect(adapter: PublishingAdapter, publisher: Redis | Cluster): void {
    const doPublish = adapter.doPublish.bind(adapter);
    adapter.doPublish = (message) => {
      const room = this.roomOf(message);
      if (room === undefined) return doPublish(message);
      publisher
        .publish(CHANNEL + room, `${adapter.uid} ${JSON.stringify(message)}`)
        // The connection's "error" event reports the cause.
        .catch(() => undefined);
      return Promise.resolve('');
    };
    this.subscriber.on('message', (_channel: string, text: string) => {
      const end = text.indexOf(' ');
      if (text.slice(0, end) !== adapter.uid)
        adapter.onMessage(JSON.parse(text.slice(end + 1)) as AdapterMessage);
    });
  }

  /** Subscribes to a room's channel until {@link leave} is called as often. */
  join(room: string): void {
    const subscription = this.subscriptions.get(room);
    if (subscription) subscription.users += 1;
    else {
      this.subscriptions.set(room, { users: 1, subscribed: this.subscribe(room) });
    }
  }

  leave(room: string): void {
    const subscription = this.subscriptions.get(room);
    if (!subscription) return;
    subscription.users -= 1;
    if (subscription.users > 0) return;
    this.subscriptions.delete(room);
    if (this.isReady) this.subscriber.unsubscribe(CHANNEL + room).catch(() => undefined);
  }

  /** ioredis can lose a SUBSCRIBE that it gets while it connects. */
  private async subscribe(room: string): Promise<void> {
    await this.ready.promise;
    if (this.subscriptions.has(room)) await this.subscriber.subscribe(CHANNEL + room).catch(() => undefined);
  }

  /** Resolves when the room's channel is subscribed. */
  async subscribed(room: string): Promise<void> {
    await this.subscriptions.get(room)?.subscribed;
  }

  private roomOf({ type, data }: AdapterMessage): string | undefined {
    if (!TYPES_TO_USERS.includes(type) || data?.requestId !== undefined) return undefined;
    const { rooms = [], except = [] } = data?.opts ?? {};
    const [room] = rooms;
    return rooms.length === 1 && except.length === 0 && room !== undefined && this.isUserRoom(room)
      ? room
      : undefined;
  }
}
