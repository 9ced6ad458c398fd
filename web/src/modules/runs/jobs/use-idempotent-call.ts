import { useRef } from 'react';
import { idempotentRequest, mayHaveBeenAccepted, type IdempotentRequest } from './idempotency';

/**
 * Returns a function that sends a request with an idempotency key. A repeated request with the same content and files
 * gets the same key, so that it takes effect once.
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
