import { plainFileName } from '#libs/contract/text.js';

/** Removes folders and control characters from a file name and shortens it. @returns `picture` for a blank name */
export const toPictureName = (name: string): string => cut(plainFileName(name), MAX_NAME_BYTES) || 'picture';

/** Maximum bytes of a name without extension and number. File systems allow 255 bytes in total. */
const MAX_NAME_BYTES = 200;

const EXTENSIONS: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'text/markdown': '.md',
};

/** Device names, which Windows does not allow as file names. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Creates file names for a ZIP: unique, without folders, with the extension of the file's type, and valid on all systems.
 */
export function zipNames(pictures: { name: string; type: string }[]): string[] {
  const taken = new Set<string>();
  return pictures.map(({ name, type }) => {
    const stem = safeStem(name);
    const extension = EXTENSIONS[type] ?? '';
    let free = stem + extension;
    // Compares names without case, because the file systems of Windows and macOS ignore it.
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
