import { describe, expect, it } from '@jest/globals';
import { IMAGE_MAX_BYTES, PDF_MAX_BYTES, WORD_TYPE } from '#libs/contract/limits.js';
import { acceptOf, checkFile, formatBytes, withDetectedType } from './check-file.js';

const file = (name: string, type: string, size = 1_000) => ({ name, type, size });

describe('checkFile', () => {
  it.each([
    ['pdf', file('resume.pdf', 'application/pdf')],
    ['pdf', file('RESUME.PDF', '')],
    ['resume', file('resume.docx', '')],
    ['resume', file('resume.docx', WORD_TYPE)],
    ['pdf', file('at the limit.pdf', 'application/pdf', PDF_MAX_BYTES)],
    ['document', file('notes.MD', 'text/x-markdown')],
    ['document', file('page.htm', '')],
    ['document', file('server.log', 'text/plain')],
    ['image', file('photo.webp', 'image/webp')],
    ['image', file('photo.jpeg', '')],
    ['image', file('IMG_0001.HEIC', '')],
    ['image', file('moving.gif', 'image/gif')],
    ['image', file('large.png', 'image/png', IMAGE_MAX_BYTES)],
    ['mask', file('blob', 'image/png')],
  ] as const)('takes a %s: %o', (kind, chosen) => {
    expect(checkFile(kind, chosen)).toBeNull();
  });

  it.each([
    [
      'resume',
      file('resume.doc', ''),
      '“resume.doc” cannot be used. Only PDF and Word (.docx) files are accepted here.',
    ],
    ['pdf', file('notes.docx', ''), '“notes.docx” cannot be used. Only PDF files are accepted here.'],
    ['pdf', file('fake.pdf', 'image/png'), '“fake.pdf” cannot be used. Only PDF files are accepted here.'],
    ['pdf', file('no.pdf', 'application/pdf', 0), '“no.pdf” is empty. Only PDF files are accepted here.'],
    [
      'pdf',
      file('big.pdf', 'application/pdf', PDF_MAX_BYTES + 1),
      '“big.pdf” is too large: 5.1 MB. PDFs may have up to 5 MB.',
    ],
    [
      'document',
      file('photo.png', 'image/png'),
      '“photo.png” cannot be used. Only PDF, Word (.docx), HTML, Markdown and text files are accepted here.',
    ],
    [
      'image',
      file('drawing.svg', 'image/svg+xml'),
      '“drawing.svg” cannot be used. Only PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF and BMP images are accepted here.',
    ],
  ] as const)('refuses a %s and names it: %o', (kind, chosen, problem) => {
    expect(checkFile(kind, chosen)).toBe(problem);
  });
});

it.each([
  ['photo', '', [0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
  ['photo.jpg', 'image/jpeg', [...'....ftypheic'].map((c) => c.charCodeAt(0)), 'image/heic'],
  ['photo.heic', '', [...'....ftypmif1....avifmif1'].map((c) => c.charCodeAt(0)), 'image/avif'],
  ['notes.txt', 'text/plain', [...'BM: notes about a bitmap'].map((c) => c.charCodeAt(0)), 'text/plain'],
])('judges %s of type “%s” by its bytes', async (name, type, bytes, detected) => {
  const given = new File([Uint8Array.from(bytes)], name, { type });
  expect(await withDetectedType(given)).toMatchObject({ name, type: detected });
});

it('accepts files by type and by extension', () => {
  expect(acceptOf('pdf')).toBe('application/pdf,.pdf');
});

it.each([
  [1, '1 KB'],
  [50_000, '49 KB'],
  [1_500_000, '1.5 MB'],
  [PDF_MAX_BYTES, '5 MB'],
])('says %d bytes as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
