/** Limits of files and pictures, and the free plan's grant. Without zod, because the start page imports this file. */
export const FREE_MONTHLY_CREDITS = 30;

export const PDF_MAX_BYTES = 5 * 1024 * 1024;
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;

/** The largest images that are decoded: a small file may hold gigabytes of pixels. */
export const IMAGE_MAX_MEGAPIXELS = 50;
/** The largest image that is accepted from an AI service: no model returns more. */
export const ANSWER_MAX_MEGAPIXELS = 16;
/** The largest profile picture, resized during its request: a photo of a 12-megapixel camera has 12.2. */
export const PICTURE_MAX_MEGAPIXELS = 12.5;
/** The largest edited picture, decoded during its request. */
export const VERSION_MAX_MEGAPIXELS = 25;

/** The kinds of file that tools accept. A `mask` is a PNG that marks a region of an image. */
export type FileKind = 'pdf' | 'image' | 'mask';

interface FileRules {
  maxBytes: number;
  /** `maxBytes` for sentences, such as "5 MB". */
  maxSize: string;
  types: readonly string[];
  tooLarge: string;
  /** The message for any other type. */
  accepted: string;
}

const rules = (maxBytes: number, name: string, types: readonly string[], accepted: string): FileRules => {
  const maxSize = `${maxBytes / 1024 / 1024} MB`;
  return { maxBytes, maxSize, types, tooLarge: `${name} may have up to ${maxSize}.`, accepted };
};

/** The limits of each kind. Forms check them before they send, the API while it reads. */
export const fileKinds: Record<FileKind, FileRules> = {
  pdf: rules(PDF_MAX_BYTES, 'PDFs', ['application/pdf'], 'Only PDF files are accepted here.'),
  image: rules(
    IMAGE_MAX_BYTES,
    'Images',
    ['image/png', 'image/jpeg', 'image/webp'],
    'Only PNG, JPEG and WebP images are accepted here.',
  ),
  mask: rules(IMAGE_MAX_BYTES, 'Images', ['image/png'], 'Only a PNG image is accepted as mask.'),
};

/** The size limit of a kind as short hints beside a file field spell it, such as "5MB". */
export const sizeHint = (kind: FileKind): string => fileKinds[kind].maxSize.replace(' ', '');

export const describeFile = (kind: FileKind): string =>
  `${fileKinds[kind].types.join(', ')}; at most ${fileKinds[kind].maxSize}.`;
