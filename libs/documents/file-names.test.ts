import { describe, expect, it } from '@jest/globals';
import { freeName, toFileName } from './file-names.js';

describe('a document’s name', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['C:\\Users\\ann\\Q3  report.pdf', 'Q3 report.pdf'],
    ['../../etc/passwd', 'passwd'],
    [' a\u0000b\n\u202ec.pdf ', 'a b c.pdf'],
    ['', 'document.pdf'],
    ['...', 'document.pdf'],
    ['Re\u0301sume\u0301.PDF', 'Résumé.PDF'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(150)}.pdf`],
    ['报告.pdf', '报告.pdf'],
    ['👩‍👩‍👧 می‌خواهم.pdf', '👩‍👩‍👧 می‌خواهم.pdf'],
  ])('of %j is %j', (given, expected) => {
    expect(toFileName(given)).toBe(expected);
  });

  it('has a number if it is taken', () => {
    expect(freeName('a.pdf', new Set())).toBe('a.pdf');
    expect(freeName('a.pdf', new Set(['a.pdf']))).toBe('a (2).pdf');
    expect(freeName('a.pdf', new Set(['a.pdf', 'a (2).pdf']))).toBe('a (3).pdf');
    expect(freeName('notes', new Set(['notes']))).toBe('notes (2)');
  });
});
