import { z } from 'zod';
import { MAX_VOICES, setVoiceSchema, voiceSchema } from '../brief.js';
import { defineRoute, json, success } from './define-route.js';

const tag = 'Voices';
const params = z.object({ id: z.uuid() });
const voice = json(success({ voice: voiceSchema }), 'The voice');

export const voiceRoutes = {
  listVoices: defineRoute('GET', '/api/user/voices', {
    tag,
    summary: 'The voices of the caller by name: briefs that are kept',
    answers: { 200: json(success({ voices: z.array(voiceSchema) }), 'The voices') },
    errors: [],
  }),
  addVoice: defineRoute('POST', '/api/user/voices', {
    tag,
    summary: 'Keeps a brief as a voice',
    description: `At most ${MAX_VOICES} for each user, each name once. Send its fields with a request to use it.`,
    body: setVoiceSchema,
    answers: { 200: voice },
    errors: ['VALIDATION_FAILED'],
  }),
  setVoice: defineRoute('PUT', '/api/user/voices/:id', {
    tag,
    summary: 'Changes a voice, and its name',
    params,
    body: setVoiceSchema,
    answers: { 200: voice },
    errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
  }),
  deleteVoice: defineRoute('DELETE', '/api/user/voices/:id', {
    tag,
    summary: 'Deletes a voice for good; texts made with it stay',
    params,
    answers: { 200: json(success({ message: z.string() }), 'It is deleted') },
    errors: ['NOT_FOUND'],
  }),
};
