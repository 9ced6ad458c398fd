import { AsyncLocalStorage } from 'node:async_hooks';
import { APIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { FairSlots } from '#libs/resilience/fair-slots.js';

/**
 * Hashes at once. Node.js has at least four threads for them, for files, compression and token checks (UV_THREADPOOL_SIZE):
 * two stay free.
 */
const AT_ONCE = 2;
/** Hashes that wait, about a second of work. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 2;

/** Code of a refusal whose caller is not the cause. */
export const MANY_SIGN_INS = 'MANY_SIGN_INS';

const networks = new AsyncLocalStorage<string>();

/** Runs a request whose hashes wait in the line of its network. */
export const hashingFor = <T>(network: string, work: () => T): T => networks.run(network, work);

interface Hash {
  network: string;
  hasBegun: boolean;
  refusal: AbortController;
}

/**
 * Hashes and compares passwords, few at once, those of each network in turn. While many wait, throws an APIError 429 for the
 * network that has most of them.
 */
export function passwordHashing() {
  const slots = new FairSlots(AT_ONCE, AT_ONCE);
  const hashes = new Set<Hash>();
  const countOf = (network: string) => [...hashes].filter((one) => one.network === network).length;

  /** Refuses the latest hash that waits of the network that has most, which may be the caller's. */
  function makeRoom(network: string): void {
    if (hashes.size < AT_ONCE + WAITING_MAX) return;
    const own = countOf(network) + 1;
    const latest = [...hashes]
      .filter(({ hasBegun }) => !hasBegun)
      .reduce((most, one) => (countOf(one.network) >= countOf(most.network) ? one : most));
    if (countOf(latest.network) <= own) throw refusal(own > 1 ? 'RATE_LIMITED' : MANY_SIGN_INS);
    hashes.delete(latest);
    latest.refusal.abort(refusal('RATE_LIMITED'));
  }

  const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
    const network = networks.getStore() ?? '';
    makeRoom(network);
    const hash: Hash = { network, hasBegun: false, refusal: new AbortController() };
    hashes.add(hash);
    try {
      const release = await slots.take(network, hash.refusal.signal);
      hash.hasBegun = true;
      return await work().finally(release);
    } finally {
      hashes.delete(hash);
    }
  };
  return {
    hash: (password: string) => inLine(() => hashPassword(password)),
    verify: (data: { hash: string; password: string }) => inLine(() => verifyPassword(data)),
  };
}

const refusal = (code: string) =>
  new APIError('TOO_MANY_REQUESTS', { code }, { 'X-Retry-After': String(RETRY_AFTER_SECONDS) });
