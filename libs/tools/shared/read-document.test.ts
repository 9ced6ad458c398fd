import { describe, expect, it } from '@jest/globals';
import { attachmentsNotice, pagesOf, scanNotice } from './read-document.js';

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

describe('notices of attachments', () => {
  const file = (name: string, isPdf = false) => ({ name, size: 100, isPdf });

  it('names the files, and says which can be opened', () => {
    expect(attachmentsNotice(null)).toBeNull();
    expect(attachmentsNotice([])).toBeNull();
    expect(attachmentsNotice([file('prices.csv')])).toBe(
      'This PDF contains another file, which was not read: `prices.csv`.',
    );
    expect(attachmentsNotice([file('annex.pdf', true)])).toMatch(
      /`annex\.pdf`\. It can be opened as a document of its own\.$/,
    );
    expect(attachmentsNotice(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => file(name, true)))).toBe(
      'This PDF contains 7 other files, which were not read: `a`, `b`, `c`, `d`, `e` and 2 more. Each PDF among them can be opened as a document of its own.',
    );
  });

  it('shows a name as text, never as Markdown', () => {
    expect(attachmentsNotice([file('[click](http://x.example)')])).toContain('`[click](http://x.example)`.');
  });
});
