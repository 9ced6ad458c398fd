import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import pg from 'pg';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { closeIfUnanswered } from '#libs/database/pool-options.js';
import { isDatabaseUnavailable } from '#libs/database/sql.js';
import { gather } from '#libs/resilience/gather.js';

type Connected = Parameters<pg.Pool['connect']>[0];

interface AdapterPoolEvents {
  onError: (error: Error) => void;
  /** Called when the adapter listens again after a lost connection. This process has missed the events in between. */
  onListeningAgain: () => void;
}

/** Retries for about three seconds if the connection breaks, because nobody would notice that the event is lost. */
const retryPublish = retry(handleWhen(isDatabaseUnavailable), {
  maxAttempts: 5,
  backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_500 }),
});

/** Delay of TCP keep-alive probes. */
const PROBE_AFTER_MS = 10_000;

/** The statement that the adapter sends for each event. */
const NOTIFY = 'SELECT pg_notify($1, $2)';
/** Publishes several events. PostgreSQL calls a function in a select list in the order of the rows, so the order is kept. */
const NOTIFY_ALL = `SELECT pg_notify(event ->> 0, event ->> 1) FROM jsonb_array_elements($1::jsonb) AS given (event)`;
/** Publishes only one group at a time, so that no event overtakes another. */
const NOTIFY_GROUPS = { atMost: 50, groups: 1 };

/**
 * Connection pool of socket.io's PostgreSQL adapter. Has only two connections, one to listen and one to publish, because
 * events of a job could overtake each other on several connections.
 */
export class AdapterPool extends pg.Pool {
  private listening: Promise<unknown> = Promise.resolve();
  private readonly taken = new Set<pg.PoolClient>();
  private listener?: pg.PoolClient;
  private hasConnected = false;
  private listens = false;
  private readonly sending = new Set<Promise<unknown>>();

  constructor(
    connectionString: string,
    private readonly events: AdapterPoolEvents,
  ) {
    super({
      connectionString,
      max: 2,
      keepAlive: true,
      // A listening connection sends nothing, so only probes detect that the network drops its packets.
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
      application_name: 'pressroom-events',
      Client: ClientWithErrorListener,
      onConnect: closeIfUnanswered,
    });
    const { onError } = events;
    // Releases broken listening connections. The adapter does not, so the pool would run out of connections.
    this.on('acquire', (client) => this.taken.add(client));
    this.on('release', (_, client) => this.taken.delete(client));
    this.on('error', onError);
    this.on('connect', (client) => {
      client.on('error', onError);
      client.once('end', () => {
        if (client === this.listener) this.listens = false;
        if (this.taken.has(client)) client.release(true);
      });
    });
  }

  /**
   * Resolves once the adapter's latest connection listens or has failed. Await it before closing the adapter: otherwise the
   * adapter keeps the connection, and `end()` of the pool never resolves.
   */
  get settled(): Promise<unknown> {
    return this.listening;
  }

  /** Whether a connection listens now. */
  get isListening(): boolean {
    return this.listens;
  }

  /** Resolves when no event is being sent. */
  get published(): Promise<unknown> {
    return Promise.allSettled(this.sending);
  }

  /** Wraps the pool for the adapter. Publishes concurrent events in one statement, in order. */
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
    // Without a callback, the adapter asks for the connection on which it listens. The pool's own queries pass a callback.
    if (callback) return super.connect(callback);
    const isAgain = this.hasConnected;
    this.hasConnected = true;
    const client = super.connect().then((next) => this.replaceListener(next));
    this.listening = client
      .then(async (listener) => {
        await waitUntilListening(listener);
        this.listens = listener === this.listener;
        if (isAgain) this.events.onListeningAgain();
      })
      .catch(() => undefined);
    return client;
  }

  /**
   * Releases the previous listening connection. If a connection breaks while the adapter begins to listen, the adapter
   * reconnects twice. It would keep both connections, and none would be left in the pool to publish.
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

/** Resolves when the adapter's LISTEN statements are done. The adapter sends them as soon as it has the connection. */
async function waitUntilListening(listener: pg.PoolClient): Promise<void> {
  await nextTurn();
  await listener.query('SELECT 1');
}
