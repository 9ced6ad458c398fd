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
  /** Number of consecutive failed calls that opens the breaker. */
  failures: number;
  /**
   * Seconds that the breaker stays open before it lets one call probe the provider. A longer `Retry-After` takes precedence.
   */
  seconds: number;
  onChange: (breaker: BreakerState) => void;
}

const MAX_OPEN_MS = 5 * 60_000;
/** Retry delay of calls that are rejected because a probe is running. */
const HALF_OPEN_RETRY_MS = 1_000;

/**
 * A circuit breaker for one kind of calls to one provider. During an outage it rejects calls at once, so that jobs do not
 * occupy a worker's slots while they wait for timeouts. Only errors of scope `service` count as failures: after a rejected
 * request we know that the provider is up. Each process has its own state.
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
   * @throws EngineError of scope `held` if the breaker rejects the call, or if the call was a failed probe; otherwise the
   *   error of `call`
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    // Rejects, because cockatiel would make this call wait for the probe, and the job would occupy its slot.
    if (this.state === 'half-open') throw rejectedCall(HALF_OPEN_RETRY_MS);
    const isProbe = this.state === 'open';
    try {
      return await this.policy.execute(call);
    } catch (error) {
      const wait = Math.max(this.openUntil - Date.now(), 0);
      if (error instanceof BrokenCircuitError && wait > this.openFor) {
        // The wait is longer than planned, so the machine's clock was set back. Closes the breaker instead of waiting.
        this.policy.isolate().dispose();
        return this.run(call);
      }
      if (error instanceof BrokenCircuitError) throw rejectedCall(wait);
      // Reports a failed probe as a rejected call, because it must not count as an attempt of its job.
      if (isProbe && error instanceof EngineError && error.scope === 'service')
        throw rejectedCall(wait, error);
      throw error;
    }
  }

  /**
   * Errors other than EngineErrors are aborts. An aborted probe counts as a failure, because it must not close the breaker.
   */
  private isFailure(error: unknown): boolean {
    return error instanceof EngineError ? error.scope === 'service' : this.state === 'half-open';
  }
}

const rejectedCall = (retryAfterMs: number, probe?: EngineError) =>
  new EngineError(
    probe?.message ?? 'The AI service does not answer at the moment. Try again in a few minutes.',
    { retryable: true, retryAfterMs, scope: 'held', cause: probe?.cause },
  );
