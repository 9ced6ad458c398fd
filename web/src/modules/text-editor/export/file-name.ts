import { startOf } from '#libs/contract/text.js';

const MAX_LENGTH = 80;

/**
 * A file name that is valid on every system, such as `Growing tomatoes.docx`. A title without letters or digits gets the
 * name `Pressroom`. A title that ends with the name of a PDF file loses the extension `.pdf`.
 */
export function fileNameOf(title: string, extension: string): string {
  const words = title
    .normalize('NFC')
    // Windows doesn't allow these characters.
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\s]+/gu, ' ')
    .trim();
  const stem = startOf(words.replace(/\.pdf$/i, ''), MAX_LENGTH).replace(/^[. ]+|[. ]+$/g, '');
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem);
  return `${!/[\p{L}\p{N}]/u.test(stem) || reserved ? `Pressroom ${stem}`.trim() : stem}.${extension}`;
}
