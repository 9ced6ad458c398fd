import { IMAGE_MAX_BYTES, PDF_MAX_BYTES } from './config.js';

/** The kinds of file that tools take; `mask` says by a PNG where an image is painted over. */
export type FileKind = 'pdf' | 'image' | 'mask';

interface FileRules {
  maxBytes: number;
  /** The media types taken. */
  types: readonly string[];
  tooLarge: string;
  /** What is taken, for somebody who sent something else. */
  accepted: string;
}

const IMAGE_TOO_LARGE = `Images may have up to ${IMAGE_MAX_BYTES / 1024 / 1024} MB.`;

/** What each kind of file may be: a form refuses by it before it sends, the API while it reads. */
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
