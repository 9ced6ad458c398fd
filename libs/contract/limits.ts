// This file must not import zod: the start page imports it and should load quickly.

export const FREE_MONTHLY_CREDITS = 30;

export const PDF_MAX_BYTES = 5 * 1024 * 1024;
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;

/** Larger images are not decoded, because a small compressed file may expand to gigabytes of pixels. */
export const IMAGE_MAX_MEGAPIXELS = 50;
/** Maximum size of an image from an AI service. No model returns larger images. */
export const ANSWER_MAX_MEGAPIXELS = 16;
/** Maximum size of a profile picture. 12-megapixel cameras produce photos of 12.2 megapixels. */
export const PICTURE_MAX_MEGAPIXELS = 12.5;
/** Maximum size of an edited picture. Lower than for jobs, because it is decoded during the request. */
export const VERSION_MAX_MEGAPIXELS = 25;

/**
 * The kinds of file that requests accept. An `image` is what a tool works on; a `picture` is shown as it is, so browsers must
 * display its type. A `mask` is a black and white PNG that marks a region of an image.
 */
export type FileKind = 'pdf' | 'resume' | 'document' | 'image' | 'picture' | 'mask';

/** Media type of a Word document (.docx). */
export const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

interface FileRules {
  maxBytes: number;
  /** `maxBytes` as text, such as "5 MB". */
  maxSize: string;
  types: readonly string[];
  /** Error message for a file that is too large. */
  tooLarge: string;
  /** Error message for a file of another type. */
  accepted: string;
}

const rules = (maxBytes: number, name: string, types: readonly string[], accepted: string): FileRules => {
  const maxSize = `${maxBytes / 1024 / 1024} MB`;
  return { maxBytes, maxSize, types, tooLarge: `${name} may have up to ${maxSize}.`, accepted };
};

const SHOWN_EVERYWHERE = ['image/png', 'image/jpeg', 'image/webp'];

/** The limits of each kind. Forms check a file before its upload, the API during its upload. */
export const fileKinds: Record<FileKind, FileRules> = {
  pdf: rules(PDF_MAX_BYTES, 'PDFs', ['application/pdf'], 'Only PDF files are accepted here.'),
  resume: rules(
    PDF_MAX_BYTES,
    'Resumes',
    ['application/pdf', WORD_TYPE],
    'Only PDF and Word (.docx) files are accepted here.',
  ),
  document: rules(
    PDF_MAX_BYTES,
    'Documents',
    ['application/pdf', WORD_TYPE, 'text/html', 'text/markdown', 'text/plain'],
    'Only PDF, Word (.docx), HTML, Markdown and text files are accepted here.',
  ),
  image: rules(
    IMAGE_MAX_BYTES,
    'Images',
    [...SHOWN_EVERYWHERE, 'image/avif', 'image/heic', 'image/heif', 'image/gif', 'image/tiff', 'image/bmp'],
    'Only PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF and BMP images are accepted here.',
  ),
  picture: rules(
    IMAGE_MAX_BYTES,
    'Images',
    SHOWN_EVERYWHERE,
    'Only PNG, JPEG and WebP images are accepted here.',
  ),
  mask: rules(IMAGE_MAX_BYTES, 'Images', ['image/png'], 'Only a PNG image is accepted as mask.'),
};

/** The size limit as file fields show it, without a space, such as "5MB". */
export const sizeHint = (kind: FileKind): string => fileKinds[kind].maxSize.replace(' ', '');

export const describeFile = (kind: FileKind): string =>
  `${fileKinds[kind].types.join(', ')}; at most ${fileKinds[kind].maxSize}.`;
