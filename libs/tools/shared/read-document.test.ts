import { describe, expect, it } from '@jest/globals';
import { pagesOf, scanNotice } from './read-document.js';

describe('notices of scanned pages', () => {
  it('names pages in words', () => {
    expect(pagesOf([7])).toBe('Page 7');
    expect(pagesOf([3, 7])).toBe('Pages 3 and 7');
    expect(pagesOf([3, 4])).toBe('Pages 3 and 4');
    expect(pagesOf([1, 4, 5, 6, 9, 12])).toBe('Pages 1, 4 to 6, 9 and 12');
  });

  it('names pages that were hard to read or not read', () => {
    const scan = { language: 'en' as const, read: [1, 2, 3], hard: [], unread: [] };
    expect(scanNotice(null)).toBeNull();
    expect(scanNotice(scan)).toBeNull();
    expect(scanNotice({ ...scan, hard: [3] })).toBe('Page 3 was hard to read; check what is quoted from it.');
    expect(scanNotice({ ...scan, hard: [1, 3], unread: [9] })).toBe(
      'Pages 1 and 3 were hard to read; check what is quoted from them. On page 9 no text could be read.',
    );
    expect(scanNotice({ language: null, read: [], hard: [], unread: [2, 5] })).toMatch(
      /^Pages 2 and 5 have no text of their own and were left out/,
    );
  });
});
