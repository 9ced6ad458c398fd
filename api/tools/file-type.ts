import { WORD_TYPE } from '#libs/contract/limits.js';
import { COMPOUND_FILE } from '#libs/documents/formats/file-format.js';

/** Number of bytes needed to detect a type. A PDF's header may be anywhere in the first 1,024 bytes. */
export const SIGNATURE_BYTES = 1024;

/** Type of an old Office file, and of a new one that is protected by a password. */
export const COMPOUND_FILE_TYPE = 'application/x-cfb';

/**
 * Detects the media type from a file's first bytes. Undefined if the type is unknown. For any ZIP file the type is that of a
 * Word document, which the names of its parts tell from others.
 */
export function typeOf(head: Buffer): string | undefined {
  if (head.subarray(0, 8).equals(PNG)) return 'image/png';
  if (head.subarray(0, 3).equals(JPEG)) return 'image/jpeg';
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  if (head.subarray(0, SIGNATURE_BYTES).includes('%PDF-')) return 'application/pdf';
  if (head.subarray(0, 4).equals(ZIP)) return WORD_TYPE;
  if (head.subarray(0, 8).equals(COMPOUND_FILE)) return COMPOUND_FILE_TYPE;
  return undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const ZIP = Buffer.from('PK\x03\x04');
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
