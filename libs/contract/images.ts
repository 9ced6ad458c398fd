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

/** The result of every tool that makes an image. */
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

export const editedImageSchema = imageSchema.extend({
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

/** The name of an image that came from a creation: its prompt is private, and this name may be published. */
export const EARLIER_IMAGE = 'an earlier image';

/** The field of a tool that takes one of the user's creations in place of an upload. */
export const sourceShape = {
  creation: z.uuid('Give the id of one of your creations.').optional().meta({
    description: 'The id of an image among the caller’s creations, in place of an upload.',
  }),
};

export function sourceOf(input: unknown): string | undefined {
  const { creation } = (input ?? {}) as { creation?: unknown };
  return typeof creation === 'string' ? creation : undefined;
}

export const imageCreation = { type: 'image', label: 'Image' } as const;

/** A coordinate as a fraction of the image's side. A form sends text, which is blank for an empty field. */
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

/** A rectangle in fractions of the image's sides. */
export interface ImageBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The box with all its edges; undefined if one is missing. */
export function boxIn({ left, top, right, bottom }: Partial<ImageBox>): ImageBox | undefined {
  return left === undefined || top === undefined || right === undefined || bottom === undefined
    ? undefined
    : { left, top, right, bottom };
}

/** The error of a box that lacks an edge or is too small; null if it is valid or absent. */
export function checkBox(given: Partial<ImageBox>) {
  const edges = ['left', 'top', 'right', 'bottom'] as const;
  if (edges.every((name) => given[name] === undefined)) return null;
  const box = boxIn(given);
  if (box && box.right - box.left >= MIN_BOX_SIDE && box.bottom - box.top >= MIN_BOX_SIDE) return null;
  return { field: edges.find((name) => given[name] === undefined) ?? 'right', message: BOX_MESSAGE };
}
