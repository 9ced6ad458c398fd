import { WORD_TYPE } from './limits.js';

/** Number of bytes needed to detect a type. A PDF's header may be anywhere in the first 1,024 bytes. */
export const SIGNATURE_BYTES = 1024;

/** Type of an old Office file, and of a new one that is protected by a password. */
export const COMPOUND_FILE_TYPE = 'application/x-cfb';

/** The first bytes of each type of file in hexadecimal, as patterns. */
const signatures: [type: string, start: RegExp][] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  // RIFF, the file's size, WEBP.
  ['image/webp', /^52494646.{8}57454250/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/tiff', /^(?:49492a00|4d4d002a)/],
  // BM, and after 12 bytes the size of the second header, which its version determines.
  ['image/bmp', /^424d.{24}(?:0c|28|34|38|40|6c|7c)000000/],
  // A box `ftyp` with the brand avif or avis, or a general brand that is compatible with one of the two.
  ['image/avif', /^.{8}66747970(?:(?:6d696631|6d736631)(?:.{8}){1,12}?)?6176(?:6966|6973)/],
  // The brands heic, heix, heim, heis, hevc, hevx, mif1 and msf1.
  ['image/heic', /^.{8}66747970(?:6865(?:69(?:63|78|6d|73)|76(?:63|78))|6d6966|6d7366)/],
  ['application/pdf', /^(?:..)*?255044462d/],
  [WORD_TYPE, /^504b0304/],
  [COMPOUND_FILE_TYPE, /^d0cf11e0a1b11ae1/],
];

/**
 * Detects the media type from a file's first bytes. Undefined if the type is unknown. For any ZIP file the type is that of a
 * Word document, which the names of its parts tell from others.
 */
export function typeOf(head: Uint8Array): string | undefined {
  const start = Array.from(head.subarray(0, SIGNATURE_BYTES), (byte) => byte.toString(16).padStart(2, '0'));
  return signatures.find(([, signature]) => signature.test(start.join('')))?.[0];
}
