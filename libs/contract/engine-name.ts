import { z } from 'zod';

/** What made a result: a connected AI provider, or the offline engine's classical algorithms. */
export const engineNameSchema = z.enum(['openai', 'offline']).meta({ description: 'What made this result.' });
export type EngineName = z.infer<typeof engineNameSchema>;
