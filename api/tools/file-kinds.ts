import { IMAGE_MAX_BYTES, PDF_MAX_BYTES } from '#libs/contract/config.js';
import type { FileField } from '#libs/tools/define-tool.js';

interface FileKind {
  maxBytes: number;
  /** The media types taken. */
  types: string[];
  tooLarge: string;
  /** What is taken, for somebody who sent something else. */
  accepted: string;
}

const IMAGE_TOO_LARGE = `Images may have up to ${IMAGE_MAX_BYTES / 1024 / 1024} MB.`;

/** What each kind of file may be. */
export const fileKinds: Record<FileField['kind'], FileKind> = {
  pdf: {
    maxBytes: PDF_MAX_BYTES,
    types: ['application/pdf'],
    tooLarge: `PDFs may have up to ${PDF_MAX_BYTES / 1024 / 1024} MB.`,
    accepted: 'Only PDF files are accepted here.',
  },
  image: {
    maxBytes: IMAGE_MAX_BYTES,
    types: ['image/png', 'image/jpeg', 'image/webp'],
    tooLarge: IMAGE_TOO_LARGE,
    accepted: 'Only PNG, JPEG and WebP images are accepted here.',
  },
  mask: {
    maxBytes: IMAGE_MAX_BYTES,
    types: ['image/png'],
    tooLarge: IMAGE_TOO_LARGE,
    accepted: 'Only a PNG image is accepted as mask.',
  },
};

/** The first bytes that tell a file's type; a PDF's header may stand anywhere in the first kilobyte. */
export const SIGNATURE_BYTES = 1024;

/** The media type that a file's first bytes say, of those we know; undefined for any other. */
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
