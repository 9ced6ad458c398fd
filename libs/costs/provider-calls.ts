import { systemClock, type Clock } from '#libs/config/clock.js';
import type { ProviderPrices } from '#libs/config/provider-prices.js';
import type { CallListener, ProviderCall, ProviderCallStart } from '#libs/ai/engine.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { ProviderCallEntity } from '#libs/database/entities/provider-calls.js';
import { execute, isRefusedValue, type Database } from '#libs/database/sql.js';
import { billCall } from './call-cost.js';
import { TokenEstimates } from './token-estimates.js';

/** Calls stored by one statement. */
const CALLS_AT_ONCE = 200;
const RETRY_MS = 1_000;

export interface ProviderCallsDeps {
  database: Database;
  prices: ProviderPrices | null;
  onError: (error: Error) => void;
  clock?: Clock;
}

export interface AttemptCalls extends CallListener {
  /** Ends a reservation together with the storing of the attempt's last call, so that its cost is counted all the time. */
  endReservation(id: string): void;
}

/** For whom a call is made. Without a job, `jobId` and `attempt` are null. */
export type CallSource = Pick<ProviderCallEntity, 'jobId' | 'attempt' | 'apiKeyId' | 'plan' | 'tool'> & {
  userId: string;
};

/** The current attempt of a job. */
export const sourceOfJob = ({
  id: jobId,
  attempts: attempt,
  userId,
  apiKeyId,
  priority,
  tool,
}: Pick<JobEntity, 'id' | 'attempts' | 'userId' | 'apiKeyId' | 'priority' | 'tool'>): CallSource => ({
  ...{ jobId, attempt, userId, apiKeyId, tool },
  plan: priority === 'premium' ? 'premium' : 'free',
});

/**
 * Stores calls of AI providers with their cost, in the background and several at once, so that jobs do not wait. A call is
 * also stored when it starts, so that a call whose worker dies is not forgotten. While the database is unavailable, calls are
 * kept and stored later.
 */
export class ProviderCalls {
  private readonly estimates = new TokenEstimates();
  private readonly clock: Clock;
  private callsAtOnce = CALLS_AT_ONCE;
  private unstored = new Map<string, ProviderCallEntity>();
  private endedReservations: string[] = [];
  private storing: Promise<void> | null = null;

  constructor(private readonly deps: ProviderCallsDeps) {
    this.clock = deps.clock ?? systemClock;
  }

  /** @returns a listener that stores the calls of a source */
  of(source: CallSource): AttemptCalls {
    let running = 0;
    let reservation: string | null = null;
    const endReservation = () => {
      if (running > 0 || reservation === null) return;
      this.endedReservations.push(reservation);
      reservation = null;
      this.storeSoon();
    };
    return {
      started: (call) => {
        running += 1;
        this.add(this.startOf(source, call));
      },
      ended: (call) => {
        running -= 1;
        this.add(this.endOf(source, call));
        endReservation();
      },
      endReservation: (id) => {
        reservation = id;
        endReservation();
      },
    };
  }

  /** Resolves when everything is stored. Rejects if the database is unavailable. */
  async flush(): Promise<void> {
    await this.storing;
    while (this.hasUnstored) await this.storeSome();
  }

  private add(call: ProviderCallEntity): void {
    this.unstored.set(call.id, call);
    this.storeSoon();
  }

  private get hasUnstored(): boolean {
    return this.unstored.size > 0 || this.endedReservations.length > 0;
  }

  private storeSoon(): void {
    this.storing ??= this.storeAll().finally(() => (this.storing = null));
  }

  private async storeAll(): Promise<void> {
    // Calls of the same turn of the event loop share a statement.
    await new Promise(setImmediate);
    try {
      while (this.hasUnstored) await this.storeSome();
    } catch (error) {
      this.deps.onError(error as Error);
      this.clock.after(RETRY_MS, () => this.storeSoon());
    }
  }

  private async storeSome(): Promise<void> {
    const calls = [...this.unstored.values()].slice(0, this.callsAtOnce);
    // A reservation ends with or after the calls of its attempt.
    const reservations = this.unstored.size > calls.length ? [] : this.endedReservations;
    for (const { id } of calls) this.unstored.delete(id);
    if (reservations.length > 0) this.endedReservations = [];
    try {
      await execute(this.deps.database, `SELECT record_provider_calls($1, $2)`, [
        JSON.stringify(calls),
        reservations,
      ]);
      if (this.unstored.size === 0) this.callsAtOnce = CALLS_AT_ONCE;
    } catch (error) {
      this.endedReservations.push(...reservations);
      const isRefused = isRefusedValue(error);
      if (isRefused && calls.length === 1) {
        const [{ id, model }] = calls as [ProviderCallEntity];
        this.deps.onError(new Error(`The call ${id} of ${model} cannot be stored`, { cause: error }));
        return;
      }
      for (const call of calls) if (!this.unstored.has(call.id)) this.unstored.set(call.id, call);
      if (!isRefused) throw error;
      // The others of the same statement are stored.
      this.callsAtOnce = 1;
    }
  }

  private startOf(source: CallSource, { operation, ...call }: ProviderCallStart): ProviderCallEntity {
    return {
      ...{ id: call.id, model: call.model, provider: call.provider, startedAt: call.startedAt },
      ...source,
      kind: operation,
      status: 'running',
      seconds: null,
      ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, images: 0, isEstimated: true },
      cost: null,
      currency: this.deps.prices?.currency ?? null,
      errorCode: null,
    };
  }

  private endOf(source: CallSource, call: ProviderCall): ProviderCallEntity {
    return {
      ...this.startOf(source, call),
      ...billCall(call, this.deps.prices, this.estimates),
      status: call.outcome,
      seconds: call.seconds,
      errorCode: call.errorCode ?? null,
    };
  }
}
