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
import { EngineError } from '#libs/contract/engine.js';
import type { BreakerState } from './engine.js';

export interface BreakerOptions extends Pick<BreakerState, 'provider' | 'kind'> {
  /** Consecutive failed calls that open the breaker. */
  failures: number;
  /** Seconds for which it stays open before one call is tried. The provider's `Retry-After` can prolong them. */
  seconds: number;
  onChange: (breaker: BreakerState) => void;
}

const MAX_OPEN_MS = 5 * 60_000;
/** The retry delay of calls that are rejected while the breaker is half-open. */
const HALF_OPEN_RETRY_MS = 1_000;

/**
 * A circuit breaker for one kind of calls to one provider, so that an outage does not block a worker's slots. Only
 * errors of scope `service` count: a rejected request shows that the provider is up. The state is per process.
 */
export class Breaker implements BreakerState {
  readonly provider: BreakerState['provider'];
  readonly kind: BreakerState['kind'];
  private readonly policy: CircuitBreakerPolicy;
  private openFor = 0;
  private openUntil = 0;

  constructor({ provider, kind, failures, seconds, onChange }: BreakerOptions) {
    this.provider = provider;
    this.kind = kind;
    const openDuration = ({ result }: IHalfOpenAfterBackoffContext) => {
      const retryAfter =
        'error' in result && result.error instanceof EngineError ? result.error.retryAfterMs : 0;
      const milliseconds = Math.min(Math.max(seconds * 1_000, retryAfter ?? 0), MAX_OPEN_MS);
      this.openFor = milliseconds;
      this.openUntil = Date.now() + milliseconds;
      return milliseconds;
    };
    this.policy = circuitBreaker(
      handleWhen((error) => this.isFailure(error)),
      { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: new DelegateBackoff(openDuration) },
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
   * @throws EngineError of scope `held` when the breaker rejects the call, or when the call was a failed probe; otherwise
   * the error of `call`
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    // Cockatiel would make this call wait for the probe, which blocks a slot.
    if (this.state === 'half-open') throw rejectedCall(HALF_OPEN_RETRY_MS);
    const isProbe = this.state === 'open';
    try {
      return await this.policy.execute(call);
    } catch (error) {
      const wait = Math.max(this.openUntil - Date.now(), 0);
      if (error instanceof BrokenCircuitError && wait > this.openFor) {
        // The machine's clock was set back. Cockatiel would wait until it catches up.
        this.policy.isolate().dispose();
        return this.run(call);
      }
      if (error instanceof BrokenCircuitError) throw rejectedCall(wait);
      // A failed probe must not use up an attempt of its job.
      if (isProbe && error instanceof EngineError && error.scope === 'service')
        throw rejectedCall(wait, error);
      throw error;
    }
  }

  /** An aborted probe proves nothing, so it must not close the breaker. */
  private isFailure(error: unknown): boolean {
    return error instanceof EngineError ? error.scope === 'service' : this.state === 'half-open';
  }
}

const rejectedCall = (retryAfterMs: number, probe?: EngineError) =>
  new EngineError(
    probe?.message ?? 'The AI service does not answer at the moment. Try again in a few minutes.',
    { retryable: true, retryAfterMs, scope: 'held', cause: probe?.cause },
  );
