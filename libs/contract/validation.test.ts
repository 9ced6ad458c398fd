import { describe, expect, it } from '@jest/globals';
import { requireStorable } from './validation.js';

describe('requireStorable', () => {
  it.each([
    ['NUL', { note: 'a \0' }],
    ['a control character', { note: 'a \u0001' }],
    ['half of a surrogate pair', { note: 'a \ud83e' }],
    ['NUL within a list', { size: 1, note: [{ text: '\0' }] }],
  ])('refuses %s, and names the field', (_, input) => {
    expect(() => requireStorable(input)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: [expect.objectContaining({ field: 'note' })],
      }),
    );
  });

  it('accepts whole pairs, escaped sequences, and values that are not text', () => {
    requireStorable({ note: 'a fox 🦊,\t\r\n\\u0000 and \\\\ud83e in letters', size: 1, style: undefined });
  });
});
