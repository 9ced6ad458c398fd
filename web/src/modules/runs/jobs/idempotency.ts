import { useRef } from 'react';
import { ApiFailure } from '../../../shared/http/http';

/** Longer than the 900 ms that operating systems allow between the clicks of a double click. */
export const DOUBLE_CLICK_MS = 1_000;

type Files = Readonly<Record<string, Blob>>;

/** A request that the server must execute only once, even if it is sent several times. */
interface IdempotentRequest {
  /** Value of the `Idempotency-Key` header. */
  readonly key: string;
  readonly input: string;
  readonly files: Files;
  /** Time when the server accepted the request, from `performance.now()`; null until then. */
  acceptedAt: number | null;
}

/**
 * Returns the last request, with its key, if input and files are the same (identical objects) and the server has not
 * accepted it yet, or accepted it within DOUBLE_CLICK_MS. Otherwise creates a new request.
 */
export function idempotentRequest(
  last: IdempotentRequest | null,
  input: string,
  files: Files,
  now: number,
): IdempotentRequest {
  const isSame = last !== null && last.input === input && areSame(last.files, files);
  const isExpired = last !== null && last.acceptedAt !== null && now - last.acceptedAt > DOUBLE_CLICK_MS;
  return isSame && !isExpired ? last : { key: crypto.randomUUID(), input, files, acceptedAt: null };
}

function areSame(one: Files, other: Files): boolean {
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => one[field] === other[field]);
}

/** True if the server may have accepted the request although the call failed. */
const mayHaveBeenAccepted = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500);

/**
 * Returns a function that sends a request with an idempotency key. A repeated request with the same content and files
 * gets the same key, so the server executes it only once.
 */
export function useIdempotentCall() {
  const last = useRef<IdempotentRequest | null>(null);
  return async <T>(
    content: string,
    files: IdempotentRequest['files'],
    send: (key: string) => Promise<T>,
  ): Promise<T> => {
    const request = idempotentRequest(last.current, content, files, performance.now());
    last.current = request;
    try {
      const response = await send(request.key);
      request.acceptedAt = performance.now();
      return response;
    } catch (error) {
      if (!mayHaveBeenAccepted(error)) last.current = null;
      throw error;
    }
  };
}
