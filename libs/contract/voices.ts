import { z } from 'zod';
import { mannerSchema } from './brief.js';
import { AppError } from './errors.js';

/** The most voices of a user. */
export const MAX_VOICES = 20;
const NAME_MAX_CHARACTERS = 60;
const NAME_MESSAGE = `Give the voice a name of at most ${NAME_MAX_CHARACTERS} characters.`;

/** What a voice says of a text; a form's brief takes it over. */
export const setVoiceSchema = z.object({
  name: z.string({ error: NAME_MESSAGE }).trim().min(1, NAME_MESSAGE).max(NAME_MAX_CHARACTERS, NAME_MESSAGE),
  manner: mannerSchema.meta({ description: 'The fields of a brief that the voice fills in.' }),
});
export type SetVoice = z.infer<typeof setVoiceSchema>;

export const voiceSchema = z
  .object({ id: z.uuid(), name: z.string(), manner: mannerSchema })
  .meta({ id: 'Voice' });
export type Voice = z.infer<typeof voiceSchema>;

export const voiceNotFound = () => new AppError('NOT_FOUND', 'There is no such voice.');
