import type { Cluster, Redis } from 'ioredis';
import { systemClock, type Clock } from '#libs/config/clock.js';

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

/** Milliseconds until a refused SUBSCRIBE is sent again. */
const RETRY_AFTER_MS = 1_000;

interface Subscription {
  users: number;
  subscribed: Promise<unknown>;
}

interface UserChannelsOptions {
  /** A connection that does not subscribe again by itself. */
  subscriber: Pick<Redis, 'on' | 'subscribe' | 'unsubscribe'>;
  isUserRoom: (room: string) => boolean;
  /** Called when the connection is made and all channels are subscribed. Events before were missed. */
  onSubscribed: () => void;
  onError: (error: Error) => void;
  clock?: Clock;
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
  private readonly clock: Clock;

  constructor(private readonly options: UserChannelsOptions) {
    this.clock = options.clock ?? systemClock;
    void this.subscribeAll();
    options.subscriber.on('ready', () => {
      this.isReady = true;
      this.ready.resolve();
    });
    options.subscriber.on('close', () => {
      if (!this.isReady) return;
      this.isReady = false;
      this.ready = Promise.withResolvers<void>();
      const subscribed = this.subscribeAll();
      for (const subscription of this.subscriptions.values()) subscription.subscribed = subscribed;
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
    this.options.subscriber.on('message', (_channel: string, text: string) => {
      const end = text.indexOf(' ');
      if (text.slice(0, end) !== adapter.uid)
        adapter.onMessage(JSON.parse(text.slice(end + 1)) as AdapterMessage);
    });
  }

  /** Subscribes to a room's channel until {@link leave} is called as often. */
  join(room: string): void {
    const subscription = this.subscriptions.get(room);
    if (subscription) {
      subscription.users += 1;
      return;
    }
    const added: Subscription = { users: 1, subscribed: this.ready.promise };
    this.subscriptions.set(room, added);
    added.subscribed = this.subscribe(() => [room]);
  }

  leave(room: string): void {
    const subscription = this.subscriptions.get(room);
    if (!subscription) return;
    subscription.users -= 1;
    if (subscription.users > 0) return;
    this.subscriptions.delete(room);
    if (this.isReady) this.options.subscriber.unsubscribe(CHANNEL + room).catch(() => undefined);
  }

  private async subscribeAll(): Promise<void> {
    const { ready } = this;
    await this.subscribe(() => [...this.subscriptions.keys()]);
    if (ready === this.ready) this.options.onSubscribed();
  }

  /** Resolves when the channels are subscribed that are still needed, after as many attempts and connections as it takes. */
  private async subscribe(rooms: () => string[]): Promise<void> {
    for (;;) {
      // ioredis can lose a SUBSCRIBE that it gets while it connects.
      while (!this.isReady) await this.ready.promise;
      const { ready } = this;
      const channels = rooms()
        .filter((room) => this.subscriptions.has(room))
        .map((room) => CHANNEL + room);
      if (channels.length === 0) return;
      try {
        await this.options.subscriber.subscribe(...channels);
        return;
      } catch (error) {
        // The next connection subscribes again.
        if (ready !== this.ready) continue;
        this.options.onError(error as Error);
        await new Promise<void>((resume) => void this.clock.after(RETRY_AFTER_MS, resume));
      }
    }
  }

  /** Resolves when the room's channel is subscribed. */
  async subscribed(room: string): Promise<void> {
    await this.subscriptions.get(room)?.subscribed;
  }

  private roomOf({ type, data }: AdapterMessage): string | undefined {
    if (!TYPES_TO_USERS.includes(type) || data?.requestId !== undefined) return undefined;
    const { rooms = [], except = [] } = data?.opts ?? {};
    const [room] = rooms;
    return rooms.length === 1 && except.length === 0 && room !== undefined && this.options.isUserRoom(room)
      ? room
      : undefined;
  }
}
