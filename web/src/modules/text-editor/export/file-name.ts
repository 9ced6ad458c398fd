const MAX_LENGTH = 80;

/**
 * A file name that is valid on every system: `Growing tomatoes.docx`. A title without words becomes `Pressroom`; one that
 * ends with the name of a resume loses its extension.
 */
export function fileNameOf(title: string, extension: string): string {
  const words = title
    .normalize('NFC')
    // Characters that Windows does not allow.
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\s]+/gu, ' ')
    .trim();
  const stem = Array.from(words.replace(/\.pdf$/i, ''))
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem);
  return `${!/[\p{L}\p{N}]/u.test(stem) || reserved ? `Pressroom ${stem}`.trim() : stem}.${extension}`;
}
