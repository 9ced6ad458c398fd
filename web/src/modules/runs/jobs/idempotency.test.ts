import { describe, expect, it } from '@jest/globals';
import { idempotentRequest } from './idempotency.js';

describe('idempotentRequest', () => {
  const file = new Blob(['a']);
  const first = () => idempotentRequest(null, 'a kite', { image: file }, 0);

  it('is the same until the last one is accepted, however long it takes', () => {
    const request = first();
    expect(idempotentRequest(request, 'a kite', { image: file }, 60_000)).toBe(request);
  });

  it('is the same for a double click, and a new one later', () => {
    const request = first();
    request.acceptedAt = 40;
    expect(idempotentRequest(request, 'a kite', { image: file }, 900)).toBe(request);
    const later = idempotentRequest(request, 'a kite', { image: file }, 1_100);
    expect(later.key).not.toBe(request.key);
    expect(later.acceptedAt).toBeNull();
  });

  it.each([
    ['another input', 'a boat', { image: file }],
    ['another file of the same content', 'a kite', { image: new Blob(['a']) }],
    ['another file in addition', 'a kite', { image: file, mask: file }],
  ])('changes for %s', (_, input, files) => {
    const request = first();
    expect(idempotentRequest(request, input, files, 1).key).not.toBe(request.key);
  });
});
