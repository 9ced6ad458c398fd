import { describe, expect, it } from '@jest/globals';
import { partsOf } from './parts.js';
import { createSheet } from './sheet.js';

const source = '# Title\n\nOne line\nthat wraps.\n\n- item `x`\n- other\n\n> quoted\n\nEnd.';

describe('the sheet', () => {
  it('hands on from the top, without gaps, whatever the order', () => {
    const pieces: string[] = [];
    const sheet = createSheet(source, partsOf(source), (piece) => pieces.push(piece));
    sheet.fill(2, 'B');
    expect(pieces).toEqual([]);
    sheet.fill(1, 'A');
    expect(pieces).toEqual(['# Title\n\nA\n\n- B']);
    sheet.fill(3, 'C');
    expect(() => sheet.close()).toThrow('missing');
    sheet.fill(4, 'D');
    expect(sheet.close()).toBe('# Title\n\nA\n\n- B\n- C\n\n> quoted\n\nD');
    expect(pieces.join('')).toBe('# Title\n\nA\n\n- B\n- C\n\n> quoted\n\nD');
  });
});
