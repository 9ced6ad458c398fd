import { IMAGE_MAX_BYTES, PDF_MAX_BYTES } from './config.js';

/** The kinds of file that tools accept. A `mask` is a PNG that marks a region of an image. */
export type FileKind = 'pdf' | 'image' | 'mask';

interface FileRules {
  maxBytes: number;
  types: readonly string[];
  tooLarge: string;
  /** The message for any other type. */
  accepted: string;
}

const IMAGE_TOO_LARGE = `Images may have up to ${IMAGE_MAX_BYTES / 1024 / 1024} MB.`;

/** The limits of each kind. Forms check them before they send, the API while it reads. */
export const fileKinds: Record<FileKind, FileRules> = {
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

/** The types and the size of a file, for the API's documentation. */
export function describeFile(kind: FileKind): string {
  const { types, maxBytes } = fileKinds[kind];
  return `${types.join(', ')}; at most ${maxBytes / 1024 / 1024} MB.`;
}
