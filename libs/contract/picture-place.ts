import { z } from 'zod';

/** A distance in shares of the picture. A form sends text, and blank text where nothing was filled in. */
export const shareSchema = (message: string, description: string) =>
  z
    .preprocess(
      (value) => (value === '' ? undefined : value),
      z.coerce.number(message).min(0, message).max(1, message).optional(),
    )
    .optional()
    .meta({ description });

const BOX_MESSAGE =
  'Give the box as four numbers from 0 to 1: left, top, and further from them right and bottom.';
/** The least width and height of a box. */
export const MIN_BOX_SIDE = 0.02;

const edge = (side: string, from: string) =>
  shareSchema(
    BOX_MESSAGE,
    `The ${side} edge of a box around what to keep, as its distance from the ${from} of the upright image, from 0 to 1. All four edges or none.`,
  );

/** A box around what a tool looks at. */
export const boxShape = {
  left: edge('left', 'left'),
  top: edge('upper', 'top'),
  right: edge('right', 'left'),
  bottom: edge('lower', 'top'),
};

/** In shares of a picture. */
export interface PictureBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The whole box, or undefined where none was given. */
export function boxIn({ left, top, right, bottom }: Partial<PictureBox>): PictureBox | undefined {
  return left === undefined || top === undefined || right === undefined || bottom === undefined
    ? undefined
    : { left, top, right, bottom };
}

/** A field that is wrong where a box is not whole, or has no area. */
export function checkBox(given: Partial<PictureBox>) {
  const edges = ['left', 'top', 'right', 'bottom'] as const;
  if (edges.every((name) => given[name] === undefined)) return null;
  const box = boxIn(given);
  const missing = edges.find((name) => given[name] === undefined);
  if (box && box.right - box.left >= MIN_BOX_SIDE && box.bottom - box.top >= MIN_BOX_SIDE) return null;
  return { field: missing ?? 'right', message: BOX_MESSAGE };
}
