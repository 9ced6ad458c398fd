/** Number of bytes needed to detect a type. A PDF's header may be anywhere in the first 1,024 bytes. */
export const SIGNATURE_BYTES = 1024;

/** Detects the media type from a file's first bytes. Undefined if the type is unknown. */
export function typeOf(head: Buffer): string | undefined {
  if (head.subarray(0, 8).equals(PNG)) return 'image/png';
  if (head.subarray(0, 3).equals(JPEG)) return 'image/jpeg';
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  if (head.subarray(0, SIGNATURE_BYTES).includes('%PDF-')) return 'application/pdf';
  return undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
