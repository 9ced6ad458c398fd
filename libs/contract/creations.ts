import { z } from 'zod';

export const creationSchema = z
  .object({
    id: z.uuid(),
    prompt: z.string(),
    type: z.string().meta({ description: '`image`, or the kind of text, such as `article`.' }),
    content: z.string().meta({ description: 'Markdown text, or the URL of an image.' }),
    engine: z.enum(['openai', 'offline']).meta({ description: 'What made it.' }),
    published: z.boolean(),
    created_at: z.iso.datetime(),
    likes: z.array(z.string()),
    jobId: z.uuid().nullable(),
  })
  .meta({ id: 'Creation' });
export type Creation = z.infer<typeof creationSchema>;
