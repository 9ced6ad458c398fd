import { z } from 'zod';
import { fractionSchema, imageToEdit, sourceShape } from './images.js';

export const OBJECT_MAX_CHARACTERS = 60;
export const ONE_OBJECT_ONLY = 'Please enter only one object name';
export const OBJECT_NAME_DESCRIPTION =
  'The name of one object, a single word. An article before it and a full stop have no effect. The models of this server know 80 kinds of objects, in 14 languages.';
const POINT_MESSAGE = 'Give the place as two numbers from 0 to 1.';

const ARTICLES = [
  'the|an?|el|l[aeo]s?|un[aeo]?s?|os?|as|uma?s?|de[nmrs]|das|die|eine?[nmrs]?',
  'bir|sebuah|seekor|seorang|एक|একটি|একটা|ایک',
].join('|');
const leadingArticle = new RegExp(`^(?:(?:${ARTICLES})\\s+|l['’])(?=\\S)`, 'iu');

/** An object's name without quotation marks, a full stop and an article: "the dog." is "dog". */
export const bareObjectName = (text: string): string =>
  text
    .replace(/^[\s\p{Pi}\p{Pf}"'¿¡]+|[\s\p{Pi}\p{Pf}"'.!?…。．！？।۔؟,،、]+$/gu, '')
    .replace(leadingArticle, '');

/** The name of an object: a single word, or blank. */
export const objectNameSchema = z
  .string({ error: 'Send the object as text.' })
  .overwrite(bareObjectName)
  .max(OBJECT_MAX_CHARACTERS, `Keep the object's name within ${OBJECT_MAX_CHARACTERS} characters.`)
  .regex(/^[^\s,;/|&+،、；，]*$/u, ONE_OBJECT_ONLY);

const pointShape = (meaning: string) => {
  const from = (edge: string) =>
    `its distance from the ${edge} edge of the upright image, from 0 to 1. Without a point, all of them are chosen.`;
  return {
    x: fractionSchema(POINT_MESSAGE, `${meaning} ${from('left')}`),
    y: fractionSchema(POINT_MESSAGE, `${meaning} ${from('upper')}`),
  };
};

/** Input fields for a point that selects one of several objects with the same name. */
export const objectPointShape = pointShape('A point within one of several objects of the name:');

/** @returns an error if only one of the coordinates is given; otherwise null */
export function checkPoint({ x, y }: { x?: number; y?: number }) {
  if ((x === undefined) === (y === undefined)) return null;
  return { field: x === undefined ? 'x' : 'y', message: POINT_MESSAGE };
}

export const NAME_THE_OBJECT = 'Name the object to find, or give a point of it.';

/** Fields of a request to preview the removal of an object. The image is a separate file field. */
export const maskPreviewInputSchema = z.object({
  object: objectNameSchema
    .default('')
    .meta({ description: `${OBJECT_NAME_DESCRIPTION} Not needed with a point.` }),
  ...pointShape('A point of the object; without a name, it chooses the smallest object there, of any kind:'),
  ...sourceShape,
});

export const maskPreviewRequest = {
  input: maskPreviewInputSchema,
  files: { image: imageToEdit },
  check: ({ object, x, y }: z.output<typeof maskPreviewInputSchema>) =>
    checkPoint({ x, y }) ??
    (object === '' && x === undefined ? { field: 'object', message: NAME_THE_OBJECT } : null),
} as const;

export const MASK_MAX_SIDE = 1024;

const fraction = z.number().min(0).max(1);

export const foundObjectSchema = z.object({
  name: z.string().meta({ description: 'The detector’s name for it, a single word.' }),
  score: fraction.meta({ description: 'The detector’s confidence, from 0 to 1.' }),
  box: z
    .object({ left: fraction, top: fraction, right: fraction, bottom: fraction })
    .meta({ description: 'In fractions of the sides of the upright image.' }),
});
export type FoundObject = z.infer<typeof foundObjectSchema>;

/** Response to a preview of the removal: the region that would be removed. */
export const maskPreviewSchema = z.object({
  mask: z.string().meta({
    description: `A PNG as a \`data:\` URL: white where the image would be removed, black elsewhere. It has the size of the upright image, or at most ${MASK_MAX_SIDE} pixels a side. It can be changed and sent as the \`mask\` of the removal.`,
  }),
  width: z.number().int().meta({ description: 'In pixels.' }),
  height: z.number().int().meta({ description: 'In pixels.' }),
  objects: z
    .array(
      foundObjectSchema.extend({ chosen: z.boolean().meta({ description: 'Whether the mask covers it.' }) }),
    )
    .meta({
      description: 'The objects of the name, from left to right; without a name, the one at the point.',
    }),
  others: z
    .array(foundObjectSchema)
    .meta({ description: 'Other objects that were detected; the mask does not cover them.' }),
});
export type MaskPreview = z.infer<typeof maskPreviewSchema>;

const UNCHANGED = new Set(['sheep', 'skis', 'scissors']);
const IRREGULAR: Record<string, string> = { person: 'people', mouse: 'mice', knife: 'knives' };

export function pluralOf(name: string): string {
  if (UNCHANGED.has(name)) return name;
  return (
    IRREGULAR[name] ??
    (/(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`.replace(/([^aeiou])ys$/, '$1ies'))
  );
}

const NUMBERS = ['no', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Counts equal names: "a person and two chairs". Blank for an empty list. */
export function listObjects(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) =>
    count === 1
      ? `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
      : `${NUMBERS[count] ?? count} ${pluralOf(name)}`,
  );
  const last = parts.pop();
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : (last ?? '');
}
