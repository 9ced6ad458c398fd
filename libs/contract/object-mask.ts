import { z } from 'zod';
import { imageToEdit, sourceShape } from './image-result.js';
import { shareSchema } from './picture-place.js';

export const OBJECT_MAX_CHARACTERS = 60;
export const ONE_OBJECT_ONLY = 'Please enter only one object name';
const POINT_MESSAGE = 'Give the place as two numbers from 0 to 1.';

/** The name of an object, a single word or blank. */
export const objectNameSchema = z
  .string({ error: 'Send the object as text.' })
  .trim()
  .max(OBJECT_MAX_CHARACTERS, `Keep the object's name within ${OBJECT_MAX_CHARACTERS} characters.`)
  .regex(/^\S*$/u, ONE_OBJECT_ONLY);

const pointShape = (meaning: string) => {
  const from = (edge: string) =>
    `its distance from the ${edge} edge of the upright image, from 0 to 1. Without a point, all of them are meant.`;
  return {
    x: shareSchema(POINT_MESSAGE, `${meaning} ${from('left')}`),
    y: shareSchema(POINT_MESSAGE, `${meaning} ${from('upper')}`),
  };
};

/** A point that picks one of several objects of a name. */
export const objectPointShape = pointShape(
  'With several objects of the name, a point of the one that is meant:',
);

/** A field that is wrong where one coordinate comes without the other; null where the point is whole. */
export function checkPoint({ x, y }: { x?: number; y?: number }) {
  if ((x === undefined) === (y === undefined)) return null;
  return { field: x === undefined ? 'x' : 'y', message: POINT_MESSAGE };
}

export const NAME_THE_OBJECT = 'Name the object to find, or give a point of it.';

/** What a preview of a removal takes, beside the image. */
export const maskPreviewInputSchema = z.object({
  object: objectNameSchema
    .default('')
    .meta({ description: 'The name of one object, a single word. Not needed with a point.' }),
  ...pointShape(
    'A point of the object that is meant; without a name, the smallest object there is meant, whatever it is:',
  ),
  ...sourceShape,
});

export const maskPreviewRequest = {
  input: maskPreviewInputSchema,
  files: { image: imageToEdit },
  check: ({ object, x, y }: z.output<typeof maskPreviewInputSchema>) =>
    checkPoint({ x, y }) ??
    (object === '' && x === undefined ? { field: 'object', message: NAME_THE_OBJECT } : null),
} as const;

/** The longest side of a preview's mask, in pixels. */
export const MASK_MAX_SIDE = 1024;

const share = z.number().min(0).max(1);

export const foundObjectSchema = z.object({
  name: z.string().meta({ description: 'As the detector calls it.' }),
  score: share.meta({ description: 'How sure the detector is, from 0 to 1.' }),
  box: z
    .object({ left: share, top: share, right: share, bottom: share })
    .meta({ description: 'In shares of the upright image.' }),
});
export type FoundObject = z.infer<typeof foundObjectSchema>;

/** What would be removed, found without removing it. */
export const maskPreviewSchema = z.object({
  mask: z.string().meta({
    description: `A PNG as a \`data:\` URL: white is what would be removed, all else black. It has the size of the upright image, or at most ${MASK_MAX_SIDE} pixels a side. It can be changed and sent as the \`mask\` of the removal.`,
  }),
  width: z.number().int().meta({ description: 'Of the mask, in pixels.' }),
  height: z.number().int().meta({ description: 'Of the mask, in pixels.' }),
  objects: z
    .array(
      foundObjectSchema.extend({ chosen: z.boolean().meta({ description: 'Whether the mask covers it.' }) }),
    )
    .meta({
      description: 'The objects of the name, from left to right; without a name, the one at the point.',
    }),
  others: z
    .array(foundObjectSchema)
    .meta({ description: 'What else is seen in the image; the mask leaves it out.' }),
});
export type MaskPreview = z.infer<typeof maskPreviewSchema>;
