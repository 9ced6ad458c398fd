const MAX_RETRIES = 4;
const FIRST_PAUSE_MS = 500;
const BUSY_PAUSE_SECONDS = 2;
const busyStatuses = [429, 503];

/** Paths of submissions, which an idempotency key makes safe to repeat. */
const SUBMISSION = /\/api\/(ai\/[^/]+|batches(\/[^/]+\/items\/\d+)?|flows\/[^/]+|jobs\/[^/]+\/retry)$/;

/** Gives each submission a key of its own, unless it has one. */
export function addIdempotencyKey(request: Request): Request {
  const isSubmission = request.method === 'POST' && SUBMISSION.test(new URL(request.url).pathname);
  if (isSubmission && !request.headers.has('Idempotency-Key'))
    request.headers.set('Idempotency-Key', crypto.randomUUID());
  return request;
}

/**
 * A `fetch` that repeats a request that the server was too busy for, after its `Retry-After`, and one whose connection broke if
 * repeating it is safe.
 */
export const withRetries =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const isRepeatable = request.method !== 'POST' || request.headers.has('Idempotency-Key');
    for (let retries = 0; ; retries += 1) {
      const isLast = retries === MAX_RETRIES;
      try {
        const response = await send(isLast ? request : request.clone());
        if (isLast || !busyStatuses.includes(response.status)) return response;
        await response.body?.cancel();
        const seconds = Number(response.headers.get('Retry-After') ?? BUSY_PAUSE_SECONDS);
        await pause(1_000 * seconds, request.signal);
      } catch (error) {
        if (isLast || !isRepeatable || request.signal.aborted) throw error;
        await pause(FIRST_PAUSE_MS * 2 ** retries, request.signal);
      }
    }
  };

/** @throws the signal's reason */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    function stop() {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
