import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import pg from 'pg';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { isDatabaseUnavailable } from '#libs/database/sql.js';
import { gather } from '#libs/resilience/gather.js';

type Connected = Parameters<pg.Pool['connect']>[0];

interface AdapterPoolEvents {
  onError: (error: Error) => void;
  /** Called when the adapter listens again. Events that were published in between are lost to this process. */
  onListeningAgain: () => void;
}

/** Retries publishing for about three seconds when the connection breaks: the loss would not be noticed. */
const retryPublish = retry(handleWhen(isDatabaseUnavailable), {
  maxAttempts: 5,
  backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_500 }),
});

const PROBE_AFTER_MS = 10_000;

/** The adapter's statement, and ours for several events. A function in a select list runs in the order of the rows. */
const NOTIFY = 'SELECT pg_notify($1, $2)';
const NOTIFY_ALL = `SELECT pg_notify(event ->> 0, event ->> 1) FROM jsonb_array_elements($1::jsonb) AS given (event)`;
/** One group after the other, so that no event overtakes another. */
const NOTIFY_GROUPS = { atMost: 50, groups: 1 };

/**
 * The connections of socket.io's PostgreSQL adapter: one to listen and one to publish. With more, events of one job could
 * overtake each other.
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
      // A listener sends nothing, so without probes it would not notice a network that drops its packets.
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
      application_name: 'pressroom-events',
      Client: ClientWithErrorListener,
    });
    const { onError } = events;
    // The adapter does not release a listening connection that breaks, which would use up the pool.
    this.on('acquire', (client) => this.taken.add(client));
    this.on('release', (_, client) => this.taken.delete(client));
    this.on('error', onError);
    this.on('connect', (client) => {
      client.on('error', onError);
      client.once('end', () => this.taken.has(client) && client.release(true));
    });
  }

  /**
   * Resolves once the adapter's latest connection listens or has failed. An adapter that is closed before that keeps the
   * connection, and the pool never ends.
   */
  get settled(): Promise<unknown> {
    return this.listening;
  }

  /** Resolves once all events so far were sent or have failed. */
  get published(): Promise<unknown> {
    return Promise.allSettled(this.sending);
  }

  /** The pool for the adapter. Concurrent events are published in one statement, in order. */
  forAdapter(): pg.Pool {
    const send = (text: string, values?: unknown[]) => retryPublish.execute(() => this.query(text, values));
    const notify = gather(NOTIFY_GROUPS, async (events: unknown[][]) => {
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
    // The pool's own queries connect with a callback, the adapter without one for the connection on which it listens.
    if (callback) return super.connect(callback);
    const isAgain = this.hasConnected;
    this.hasConnected = true;
    const client = super.connect().then((next) => this.replaceListener(next));
    this.listening = client
      .then(waitUntilListening)
      .then(() => isAgain && this.events.onListeningAgain())
      .catch(() => undefined);
    return client;
  }

  /**
   * The adapter reconnects twice when a connection breaks while it begins to listen. The first of the two would permanently
   * replace the connection that publishes.
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

/** Resolves after the adapter's LISTEN statements, which it sends as soon as it has its connection. */
async function waitUntilListening(listener: pg.PoolClient): Promise<void> {
  await nextTurn();
  await listener.query('SELECT 1');
}
