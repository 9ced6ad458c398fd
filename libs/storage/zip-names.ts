import { plainFileName } from '#libs/contract/text.js';

/** A picture's own name as one line of text, without folders; `picture` for a blank name. */
export const toPictureName = (name: string): string => cut(plainFileName(name), MAX_NAME_BYTES) || 'picture';

/** Bytes of a name without extension and number. File systems allow 255 in total. */
const MAX_NAME_BYTES = 200;

const EXTENSIONS: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'text/markdown': '.md',
};

/** Names that Windows gives to devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Unique names of files in a ZIP, with the extension of their type. They are valid on all systems and contain no folders.
 */
export function zipNames(pictures: { name: string; type: string }[]): string[] {
  const taken = new Set<string>();
  return pictures.map(({ name, type }) => {
    const stem = safeStem(name);
    const extension = EXTENSIONS[type] ?? '';
    let free = stem + extension;
    // File systems of Windows and macOS ignore case.
    for (let number = 2; taken.has(keyOf(free)); number += 1) free = `${stem} (${number})${extension}`;
    taken.add(keyOf(free));
    return free;
  });
}

const keyOf = (name: string) => name.normalize('NFC').toLowerCase();

function safeStem(name: string): string {
  const stem = toPictureName(name)
    .replace(/(?<=.)\.\w{1,5}$/, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^\.+|[. ]+$/g, '');
  const short = cut(stem, MAX_NAME_BYTES) || 'picture';
  return DEVICE.test(short.split('.')[0]!) ? `_${short}` : short;
}

const graphemes = new Intl.Segmenter();

function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let start = '';
  for (const { segment } of graphemes.segment(text)) {
    if (Buffer.byteLength(start + segment) > bytes) break;
    start += segment;
  }
  return start.trimEnd();
}
