import { describe, expect, it } from '@jest/globals';
import { readPdfDate } from './pdf-date.js';

describe('the dates of a PDF', () => {
  it.each([
    ["D:20261125061500+01'00'", '2026-11-25T06:15:00+01:00'],
    ["D:20261125061500-05'30", '2026-11-25T06:15:00-05:30'],
    ['D:20261125061500Z', '2026-11-25T06:15:00Z'],
    ["D:20261125061500Z00'00'", '2026-11-25T06:15:00Z'],
    ['D:202611250615', '2026-11-25T06:15:00'],
    ['20261125', '2026-11-25'],
    ['D:202611', '2026-11'],
    ['D:2026', '2026'],
    ['D:20261399', undefined],
    ['Wednesday', undefined],
    [undefined, undefined],
  ])('%s is %s', (text, date) => expect(readPdfDate(text)).toBe(date));
});
