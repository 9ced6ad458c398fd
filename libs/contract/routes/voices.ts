import { z } from 'zod';
import { MAX_VOICES, setVoiceSchema, voiceSchema } from '../brief.js';
import { defineRoute, json, ok, success } from './define-route.js';

const tag = 'Voices';
const params = z.object({ id: z.uuid() });
const voice = json(success({ voice: voiceSchema }), 'The voice');

export const voiceRoutes = {
  listVoices: defineRoute('GET', '/api/user/voices', {
    tag,
    summary: 'The caller’s voices (saved briefs), by name',
    answers: ok({ voices: z.array(voiceSchema) }, 'The voices'),
  }),
  addVoice: defineRoute('POST', '/api/user/voices', {
    tag,
    summary: 'Saves a brief as a voice',
    description: `At most ${MAX_VOICES} per user, with unique names. To use a voice, send its fields with a request.`,
    body: setVoiceSchema,
    answers: { 200: voice },
  }),
  setVoice: defineRoute('PUT', '/api/user/voices/:id', {
    tag,
    summary: 'Changes a voice and its name',
    params,
    body: setVoiceSchema,
    answers: { 200: voice },
    errors: ['NOT_FOUND'],
  }),
  deleteVoice: defineRoute('DELETE', '/api/user/voices/:id', {
    tag,
    summary: 'Deletes a voice permanently; texts made with it stay',
    params,
    answers: ok({ message: z.string() }, 'Deleted'),
    errors: ['NOT_FOUND'],
  }),
};
