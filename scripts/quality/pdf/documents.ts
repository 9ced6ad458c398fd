import { z } from 'zod';
import { readYaml } from '../../stack/read-yaml.ts';

const questionSchema = z.object({
  question: z.string(),
  /** The page that has the answer; null where the document has none. */
  page: z.number().nullable(),
  /** The previous question, to which this one refers. */
  before: z.string().optional(),
});

const documentSchema = z.object({
  name: z.string(),
  /** Printed at the foot of each page, before the page number. */
  footer: z.string(),
  pages: z.array(z.object({ heading: z.string(), text: z.string() })),
  questions: z.array(questionSchema),
});

export type QualityDocument = z.infer<typeof documentSchema>;
export type Question = z.infer<typeof questionSchema> & { document: QualityDocument };

/** An employee handbook, an annual report and an appliance's manual. */
export const documents = readYaml(
  new URL('documents.yaml', import.meta.url),
  z.tuple([documentSchema, documentSchema, documentSchema]),
);

export const questions: Question[] = documents.flatMap((document) =>
  document.questions.map((question) => ({ ...question, document })),
);
