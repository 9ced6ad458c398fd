import { z } from 'zod';

/** A fault of spelling or grammar in an English text. */
export const languageFaultSchema = z.object({
  kind: z.enum(['spelling', 'grammar']),
  quote: z.string().meta({ description: 'The words at fault, as they stand in the text.' }),
  context: z.string().meta({ description: 'The same with the words around them.' }),
  message: z.string(),
  suggestions: z.array(z.string()).meta({
    description: 'What could stand there instead, the best first. Empty text: leave the words out.',
  }),
});
export type LanguageFault = z.infer<typeof languageFaultSchema>;

/** The faults of a text, each with its place. */
export const proofreadingSchema = <Place extends z.ZodRawShape>(place: Place) =>
  z
    .object({
      faults: z.array(languageFaultSchema.extend(place)),
      isWhole: z.boolean().meta({ description: 'false where the text was too long to be read to its end.' }),
    })
    .nullable();

export const NOT_PROOFREAD =
  'Spelling and grammar were not checked: the checker could not be loaded on this server, or took too long.';
