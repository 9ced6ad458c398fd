import { z } from 'zod';

export const languageFaultSchema = z.object({
  kind: z.enum(['spelling', 'grammar']),
  quote: z.string().meta({ description: 'The wrong words, as in the text.' }),
  context: z.string().meta({ description: 'The quote with the words around it.' }),
  message: z.string(),
  suggestions: z.array(z.string()).meta({
    description: 'Replacements, the best first. An empty text means to remove the words.',
  }),
});
export type LanguageFault = z.infer<typeof languageFaultSchema>;

/**
 * Schema of a text's spelling and grammar errors; null if they were not checked.
 * @param place extra fields of each error that say where in the result it is
 */
export const proofreadingSchema = <Place extends z.ZodRawShape>(place: Place) =>
  z
    .object({
      faults: z.array(languageFaultSchema.extend(place)),
      isWhole: z.boolean().meta({ description: 'False if the text was too long to be checked to its end.' }),
    })
    .nullable();

export const NOT_PROOFREAD =
  'Spelling and grammar were not checked: the checker could not be loaded on this server, or took too long.';
