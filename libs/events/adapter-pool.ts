import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import pg from 'pg';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { isDatabaseAway } from '#libs/database/sql.js';

type Connected = Parameters<pg.Pool['connect']>[0];

interface AdapterPoolEvents {
  onError: (error: Error) => void;
  /** Called when the adapter listens again: what was published while it did not is lost to this process. */
  onListeningAgain: () => void;
}

/** An event whose connection broke is published again for about three seconds: nobody would know that it was lost. */
const publishAgain = retry(handleWhen(isDatabaseAway), {
  maxAttempts: 5,
  backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_500 }),
});

const PROBE_AFTER_MS = 10_000;

/**
 * The connections of socket.io's PostgreSQL adapter: one listens and one publishes. With more, the events of one job
 * could overtake each other.
 */
export class AdapterPool extends pg.Pool {
  private listening: Promise<unknown> = Promise.resolve();
  private readonly taken = new Set<pg.PoolClient>();
  private listener?: pg.PoolClient;
  private hasConnected = false;

  constructor(
    connectionString: string,
    private readonly events: AdapterPoolEvents,
  ) {
    super({
      connectionString,
      max: 2,
      keepAlive: true,
      // A listener sends nothing: without probes it would not notice a network that drops its packets.
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
      application_name: 'pressroom-events',
      Client: ClientWithErrorListener,
    });
    const { onError } = events;
    // The adapter drops the listening connection when it breaks, without releasing it: the pool would lose its place.
    this.on('acquire', (client) => this.taken.add(client));
    this.on('release', (_, client) => this.taken.delete(client));
    this.on('error', onError);
    this.on('connect', (client) => {
      client.on('error', onError);
      client.once('end', () => this.taken.has(client) && client.release(true));
    });
  }

  /**
   * Resolves once the connection that the adapter asked for last listens, or could not be had. An adapter that is
   * closed before that keeps the connection, and the pool would never end.
   */
  get settled(): Promise<unknown> {
    return this.listening;
  }

  /** The pool as the adapter uses it. */
  forAdapter(): pg.Pool {
    const query = (text: string, values?: unknown[]) => publishAgain.execute(() => this.query(text, values));
    return Object.create(this, {
      query: { value: query },
      connect: { value: () => this.connect() },
    }) as pg.Pool;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    // The pool's own queries connect with a callback; the adapter awaits the connection that it listens on.
    if (callback) return super.connect(callback);
    const isAgain = this.hasConnected;
    this.hasConnected = true;
    const client = super.connect().then((next) => this.replaceListener(next));
    this.listening = client
      .then(hasBegunToListen)
      .then(() => isAgain && this.events.onListeningAgain())
      .catch(() => undefined);
    return client;
  }

  /**
   * The adapter reconnects twice when a connection breaks while it begins to listen. The first of the two would take
   * the place of the connection that publishes, for good.
   */
  private replaceListener(next: pg.PoolClient): pg.PoolClient {
    const previous = this.listener;
    this.listener = next;
    if (previous && this.taken.has(previous)) {
      previous.removeAllListeners('notification');
      previous.removeAllListeners('end');
      previous.release(true);
    }
    return next;
  }
}

/** Resolves after the queries by which the adapter begins to listen; it sends them as soon as it has its connection. */
async function hasBegunToListen(listener: pg.PoolClient): Promise<void> {
  await nextTurn();
  await listener.query('SELECT 1');
}
