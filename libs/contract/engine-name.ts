import { z } from 'zod';

/** What made a result: a connected AI provider, or this server itself, with a model or by rules. */
export const engineNameSchema = z.enum(['openai', 'offline']).meta({ description: 'What made this result.' });
/** The part of every result that says what made it. */
export const madeByShape = {
  engine: engineNameSchema,
  model: z
    .string()
    .nullable()
    .meta({ description: 'The model that made it, by its name; null where rules did, without a model.' }),
};

export type EngineName = z.infer<typeof engineNameSchema>;
