import { describe, expect, it } from '@jest/globals';
import { partsOf } from './parts.js';
import { createPartAssembler } from './part-assembler.js';

const source = '# Title\n\nOne line\nthat wraps.\n\n- item `x`\n- other\n\n> quoted\n\nEnd.';

describe('the assembler', () => {
  it('emits the text from the start, without gaps, in any order of parts', () => {
    const pieces: string[] = [];
    const assembler = createPartAssembler(source, partsOf(source), (piece) => pieces.push(piece));
    assembler.fill(2, 'B');
    expect(pieces).toEqual([]);
    assembler.fill(1, 'A');
    expect(pieces).toEqual(['# Title\n\nA\n\n- B']);
    assembler.fill(3, 'C');
    expect(() => assembler.close()).toThrow('missing');
    assembler.fill(4, 'D');
    expect(assembler.close()).toBe('# Title\n\nA\n\n- B\n- C\n\n> quoted\n\nD');
    expect(pieces.join('')).toBe('# Title\n\nA\n\n- B\n- C\n\n> quoted\n\nD');
  });
});
