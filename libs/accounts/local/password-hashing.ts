import { APIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';

/** Hashes at once. Node.js has four threads for them, for files, compression and token checks: two stay free. */
const AT_ONCE = 2;
/** Hashes that wait, about a second of work. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 2;

/** Hashes and compares passwords, few at once. Throws an APIError 429 while too many wait. */
export function passwordHashing() {
  const line = bulkhead(AT_ONCE, WAITING_MAX);
  const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await line.execute(work);
    } catch (error) {
      if (!isBulkheadRejectedError(error)) throw error;
      throw new APIError(
        'TOO_MANY_REQUESTS',
        { code: 'RATE_LIMITED' },
        { 'X-Retry-After': String(RETRY_AFTER_SECONDS) },
      );
    }
  };
  return {
    hash: (password: string) => inLine(() => hashPassword(password)),
    verify: (data: { hash: string; password: string }) => inLine(() => verifyPassword(data)),
  };
}
