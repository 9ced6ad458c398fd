import { z } from 'zod';
import { engineShape } from './engine.js';

/** The sizes that image models support, in pixels: square, landscape and portrait. The first is the default. */
export const imageSizes = ['1024x1024', '1536x1024', '1024x1536'] as const;
export type ImageSize = (typeof imageSizes)[number];

export function sizeInPixels(size: ImageSize): { width: number; height: number } {
  const [width, height] = size.split('x').map(Number) as [number, number];
  return { width, height };
}

export function pixelsOf(size: ImageSize): number {
  const { width, height } = sizeInPixels(size);
  return width * height;
}

/** Result of the tools that create an image. */
export const imageSchema = z.object({
  content: z.string().meta({ description: 'The URL of the image, a JPEG.' }),
  thumbnail: z
    .string()
    .meta({ description: 'The URL of a small version, a WebP of at most 480 pixels a side.' }),
  width: z.number().int().meta({ description: 'In pixels.' }),
  height: z.number().int().meta({ description: 'In pixels.' }),
  ...engineShape,
  notice: z.string().nullable().meta({ description: 'What the user should know about the image.' }),
});

const uploadedSide = z.number().int().meta({ description: 'In pixels: that of the upright uploaded image.' });

export const imageWarningSchema = z
  .object({
    code: z.enum(['check-edge']),
    message: z.string(),
    area: z
      .object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })
      .nullable()
      .meta({ description: 'The box to look at, in fractions of the image’s width and height.' }),
  })
  .meta({ id: 'ImageWarning' });
export type ImageWarning = z.infer<typeof imageWarningSchema>;

export const editedImageSchema = imageSchema.extend({
  warnings: z.array(imageWarningSchema).optional().meta({
    description: 'What to check in the image; empty if nothing is doubtful. Missing in older results.',
  }),
  content: z.string().meta({ description: 'The URL of the changed image, a PNG.' }),
  width: uploadedSide,
  height: uploadedSide,
});

export const IMAGE_REQUIRED = 'Choose an image.';

export const imageToEdit = {
  kind: 'image',
  required: true,
  missing: IMAGE_REQUIRED,
  orCreation: true,
} as const;

/** Name of an input image that was a creation, because the creation's prompt is private and input names can be published. */
export const EARLIER_IMAGE = 'an earlier image';

/** The prompt of an edited image: what was removed, and the file that it was removed from. */
export const editPrompt = (removed: string, fileName: string) => `${removed} removed from ${fileName}`;

/** The parts of an {@link editPrompt}; null for any other prompt, and for an earlier image. */
export function readEditPrompt(prompt: string): { removed: string; fileName: string } | null {
  const [, removed, fileName] = /^(Background|Painted area|\S+) removed from (.+)$/s.exec(prompt) ?? [];
  return removed === undefined || fileName === undefined || fileName === EARLIER_IMAGE
    ? null
    : { removed, fileName };
}

/** The input field of tools that accept one of the user's creations instead of an upload. */
export const sourceShape = {
  creation: z.uuid('Give the id of one of your creations.').optional().meta({
    description: 'The id of an image among the caller’s creations, in place of an upload.',
  }),
};

/** The input field of tools whose result may keep what its photo says about its making. */
export const metadataShape = {
  keepMetadata: z
    .union([z.boolean(), z.stringbool()], { error: 'Send true to keep date and copyright.' })
    .optional()
    .meta({
      description:
        'True if the result keeps the photo’s date, artist and copyright (EXIF). Its place is never kept.',
    }),
};

export function sourceOf(input: unknown): string | undefined {
  const { creation } = (input ?? {}) as { creation?: unknown };
  return typeof creation === 'string' ? creation : undefined;
}

export const imageCreation = { type: 'image', label: 'Image' } as const;

/** A coordinate as a fraction of the image's width or height. Accepts text, as multipart forms send; blank means absent. */
export const fractionSchema = (message: string, description: string) =>
  z
    .preprocess(
      (value) => (value === '' ? undefined : value),
      z.coerce.number(message).min(0, message).max(1, message).optional(),
    )
    .optional()
    .meta({ description });

const BOX_MESSAGE =
  'Give the box as four numbers from 0 to 1: left, top, and further from them right and bottom.';
export const MIN_BOX_SIDE = 0.02;

const edge = (side: string, from: string) =>
  fractionSchema(
    BOX_MESSAGE,
    `The ${side} edge of a box around the subject to keep, as its distance from the ${from} of the upright image, from 0 to 1. All four edges or none.`,
  );

export const boxShape = {
  left: edge('left', 'left'),
  top: edge('upper', 'top'),
  right: edge('right', 'left'),
  bottom: edge('lower', 'top'),
};

/** A rectangle. Its edges are fractions of the image's width and height. */
export interface ImageBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** @returns the box, or undefined if one of its edges is missing */
export function boxIn({ left, top, right, bottom }: Partial<ImageBox>): ImageBox | undefined {
  return left === undefined || top === undefined || right === undefined || bottom === undefined
    ? undefined
    : { left, top, right, bottom };
}

/** @returns an error for a box that lacks an edge or is too small; null for a valid box, or none at all */
export function checkBox(given: Partial<ImageBox>) {
  const edges = ['left', 'top', 'right', 'bottom'] as const;
  if (edges.every((name) => given[name] === undefined)) return null;
  const box = boxIn(given);
  if (box && box.right - box.left >= MIN_BOX_SIDE && box.bottom - box.top >= MIN_BOX_SIDE) return null;
  return { field: edges.find((name) => given[name] === undefined) ?? 'right', message: BOX_MESSAGE };
}
