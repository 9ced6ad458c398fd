import { AppError } from '#libs/contract/errors.js';
import { toAppError } from './to-app-error.js';

/** A body up to this size is not refused because of the bodies of other callers. */
const SMALL_BYTES = 64 * 2 ** 10;

interface BudgetLimits {
  /** Maximum bytes of the bodies of one caller. */
  perCaller: number;
  /** Maximum bytes of all bodies. */
  total?: number;
}

/** A body that is counted. */
export interface CountedBody {
  /** Counts bytes that arrived. @throws AppError RATE_LIMITED or UNAVAILABLE if a limit is exceeded */
  add: (bytes: number) => void;
  /** Ends the count: the body is no longer in memory. */
  release: () => void;
}

/** Counts the bytes of bodies that are in memory, by caller. Counts what has arrived, not what a client announces. */
export class BodyBudget {
  private all = 0;
  private readonly callers = new Map<string, number>();

  constructor(private readonly limits: BudgetLimits) {}

  /** @param caller the user, or the network without one */
  open(caller: string): CountedBody {
    const { perCaller, total = Infinity } = this.limits;
    let own = 0;
    let isReleased = false;
    return {
      add: (bytes) => {
        if (isReleased) throw toAppError({ status: 400, type: 'request.aborted' });
        own += bytes;
        this.change(caller, bytes);
        if (this.callers.get(caller)! > perCaller) throw tooManyBodies();
        if (own > SMALL_BYTES && this.all > total) throw tooBusy();
      },
      release: () => {
        if (!isReleased) this.change(caller, -own);
        isReleased = true;
      },
    };
  }

  private change(caller: string, bytes: number): void {
    this.all += bytes;
    const sum = (this.callers.get(caller) ?? 0) + bytes;
    if (sum > 0) this.callers.set(caller, sum);
    else this.callers.delete(caller);
  }
}

const tooManyBodies = () =>
  new AppError(
    'RATE_LIMITED',
    'Too many bytes of your other requests are arriving. Wait until one of them is answered.',
    { retryAfterSeconds: 1 },
  );

const tooBusy = () =>
  new AppError('UNAVAILABLE', 'Too many large requests are arriving now. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
