const LONGEST = 80;

/** A file's name from a title, as every system takes it: `Growing tomatoes.docx`. A title without words is `Pressroom`. */
export function fileNameOf(title: string, extension: string): string {
  const words = title
    .normalize('NFC')
    // What Windows, the strictest, does not take.
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\s]+/gu, ' ')
    .trim();
  const stem = Array.from(words)
    .slice(0, LONGEST)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem);
  return `${!/[\p{L}\p{N}]/u.test(stem) || reserved ? `Pressroom ${stem}`.trim() : stem}.${extension}`;
}
