import { plainFileName } from '#libs/contract/text.js';

/** A picture's own name as one line of text, without folders. Blank ones are `picture`. */
export const toPictureName = (name: string): string => cut(plainFileName(name), MAX_NAME_BYTES) || 'picture';

/** The most bytes of a name: file systems take 255, and the extension and a number come behind it. */
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
 * The names that results have in a ZIP: their own, such as those of their pictures, with the extension of their type, each once, and none that
 * leads out of the folder it is unpacked in.
 */
export function zipNames(pictures: { name: string; type: string }[]): string[] {
  const taken = new Set<string>();
  return pictures.map(({ name, type }) => {
    const stem = safeStem(name);
    const extension = EXTENSIONS[type] ?? '';
    let free = stem + extension;
    // File systems of Windows and macOS tell no case apart.
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
  const known = cut(stem, MAX_NAME_BYTES) || 'picture';
  return DEVICE.test(known.split('.')[0]!) ? `_${known}` : known;
}

const graphemes = new Intl.Segmenter();

/** Cuts between what is read as one character. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (Buffer.byteLength(kept + segment) > bytes) break;
    kept += segment;
  }
  return kept.trimEnd();
}
