import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  type CircuitBreakerPolicy,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';
import { EngineError } from '#libs/contract/engine-error.js';
import type { BreakerState } from '#libs/ai/engine.js';

export interface BreakerOptions extends Pick<BreakerState, 'provider' | 'kind'> {
  /** Failed calls in a row that open it. */
  failures: number;
  /** How long it stays open before one call is let through. A provider's own `Retry-After` can make it longer. */
  seconds: number;
  /** Told of every change. */
  onChange: (breaker: BreakerState) => void;
}

/** Milliseconds: the longest that a provider's `Retry-After` holds calls back. */
const LONGEST_HOLD = 5 * 60_000;
/** Milliseconds after which to ask again while another call is finding out whether the provider is back. */
const PROBE_PAUSE = 1_000;

/**
 * Holds calls of one kind back from a provider that failed several in a row, so that a dead one does not keep the
 * slots of a worker busy with waiting. After a while one call at a time is let through; if it passes, all are.
 *
 * Only failures of the service count: a refused request says that the provider is there. Each process has its own:
 * a worker learns of an outage by its own few calls, and no store is needed that could be away itself.
 */
export class Breaker implements BreakerState {
  readonly provider: BreakerState['provider'];
  readonly kind: BreakerState['kind'];
  private readonly policy: CircuitBreakerPolicy;
  private openUntil = 0;

  constructor({ provider, kind, failures, seconds, onChange }: BreakerOptions) {
    this.provider = provider;
    this.kind = kind;
    const hold = ({ result }: IHalfOpenAfterBackoffContext) => {
      const asked = 'error' in result && result.error instanceof EngineError ? result.error.retryAfterMs : 0;
      const milliseconds = Math.min(Math.max(seconds * 1_000, asked ?? 0), LONGEST_HOLD);
      this.openUntil = Date.now() + milliseconds;
      return milliseconds;
    };
    this.policy = circuitBreaker(
      handleWhen((error) => this.isFailure(error)),
      { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: new DelegateBackoff(hold) },
    );
    this.policy.onStateChange(() => onChange(this));
  }

  get state(): BreakerState['state'] {
    switch (this.policy.state) {
      case CircuitState.Closed:
        return 'closed';
      case CircuitState.HalfOpen:
        return 'half-open';
      default:
        return 'open';
    }
  }

  /**
   * @throws EngineError of scope `held` when the call was not made, or was the one that tried whether the provider is
   * back; else whatever `call` throws
   */
  async through<T>(call: () => Promise<T>): Promise<T> {
    // The library would have this call wait for the probe's outcome, and a slot with it.
    if (this.state === 'half-open') throw held(PROBE_PAUSE);
    const isProbe = this.state === 'open';
    try {
      return await this.policy.execute(call);
    } catch (error) {
      const wait = Math.max(this.openUntil - Date.now(), 0);
      if (error instanceof BrokenCircuitError) throw held(wait);
      // Whose call it was is chance: the failure is not held against that job.
      if (isProbe && error instanceof EngineError && error.scope === 'service') throw held(wait, error);
      throw error;
    }
  }

  /** A probe that was aborted has shown nothing, so the breaker must not close by it. */
  private isFailure(error: unknown): boolean {
    return error instanceof EngineError ? error.scope === 'service' : this.state === 'half-open';
  }
}

const held = (retryAfterMs: number, probe?: EngineError) =>
  new EngineError(
    probe?.message ?? 'The AI service does not answer at the moment. Try again in a few minutes.',
    { retryable: true, retryAfterMs, scope: 'held', cause: probe?.cause },
  );
