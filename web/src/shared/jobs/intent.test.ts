import { describe, expect, it } from '@jest/globals';
import { intentOf } from './intent.js';

describe('the intent of a submission', () => {
  const file = new Blob(['a']);
  const first = () => intentOf(null, 'a kite', { image: file }, 0);

  it('is the last one while that is on its way, however long it takes', () => {
    const intent = first();
    expect(intentOf(intent, 'a kite', { image: file }, 60_000)).toBe(intent);
  });

  it('is the last one for the second click of a double one, and a new one later', () => {
    const intent = first();
    intent.takenAt = 40;
    expect(intentOf(intent, 'a kite', { image: file }, 900)).toBe(intent);
    const later = intentOf(intent, 'a kite', { image: file }, 1_100);
    expect(later.key).not.toBe(intent.key);
    expect(later.takenAt).toBeNull();
  });

  it.each([
    ['another input', 'a boat', { image: file }],
    ['another file of the same content', 'a kite', { image: new Blob(['a']) }],
    ['a file more', 'a kite', { image: file, mask: file }],
  ])('is a new one for %s', (_, input, files) => {
    const intent = first();
    expect(intentOf(intent, input, files, 1).key).not.toBe(intent.key);
  });
});
