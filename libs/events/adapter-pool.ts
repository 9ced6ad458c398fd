import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import pg from 'pg';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { isDatabaseUnavailable } from '#libs/database/sql.js';
import { gather } from '#libs/resilience/gather.js';

type Connected = Parameters<pg.Pool['connect']>[0];

interface AdapterPoolEvents {
  onError: (error: Error) => void;
  /** Called when the adapter listens again: what was published while it did not is lost to this process. */
  onListeningAgain: () => void;
}

/** An event whose connection broke is published again for about three seconds: nobody would know that it was lost. */
const publishAgain = retry(handleWhen(isDatabaseUnavailable), {
  maxAttempts: 5,
  backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_500 }),
});

const PROBE_AFTER_MS = 10_000;

/** The statement by which the adapter publishes, and ours for several. A function in a list of columns runs in the order of the rows. */
const NOTIFY = 'SELECT pg_notify($1, $2)';
const NOTIFY_ALL = `SELECT pg_notify(event ->> 0, event ->> 1) FROM jsonb_array_elements($1::jsonb) AS given (event)`;
/** One after the other, so that no event overtakes another. */
const EVENTS_TOGETHER = { atMost: 50, groups: 1 };

/**
 * The connections of socket.io's PostgreSQL adapter: one listens and one publishes. With more, the events of one job
 * could overtake each other.
 */
export class AdapterPool extends pg.Pool {
  private listening: Promise<unknown> = Promise.resolve();
  private readonly taken = new Set<pg.PoolClient>();
  private listener?: pg.PoolClient;
  private hasConnected = false;
  private readonly sending = new Set<Promise<unknown>>();

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

  /** Resolves once all events so far are sent, or could not be. */
  get published(): Promise<unknown> {
    return Promise.allSettled(this.sending);
  }

  /** The pool as the adapter uses it. The events of one moment are published in one statement, in their order. */
  forAdapter(): pg.Pool {
    const send = (text: string, values?: unknown[]) => publishAgain.execute(() => this.query(text, values));
    const notify = gather(EVENTS_TOGETHER, async (events: unknown[][]) => {
      const sent = await send(NOTIFY_ALL, [JSON.stringify(events)]);
      return events.map(() => sent);
    });
    const query = (text: string, values?: unknown[]) => {
      const sent = text === NOTIFY && values ? notify(values) : send(text, values);
      this.sending.add(sent);
      const onSent = () => void this.sending.delete(sent);
      sent.then(onSent, onSent);
      return sent;
    };
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
