import { z } from 'zod';
import {
  MAX_SAVED_SEARCHES,
  newSavedSearchSchema,
  renameSavedSearchSchema,
  savedSearchSchema,
} from '../creations.js';
import { defineRoute, json, ok, success } from './define-route.js';

const tag = 'Creations';
const searchId = z.object({ id: z.uuid().meta({ description: 'The saved search’s id.' }) });
const oneSearch = json(success({ search: savedSearchSchema }), 'The saved search');

export const savedSearchRoutes = {
  listSavedSearches: defineRoute('GET', '/api/user/searches', {
    tag,
    summary: 'The caller’s saved searches, oldest first',
    description:
      'The pages show them as folders. Event: `searches`, without a payload, each time one changes.',
    answers: ok({ searches: z.array(savedSearchSchema) }, 'The saved searches'),
  }),
  saveSearch: defineRoute('POST', '/api/user/searches', {
    tag,
    summary: 'Saves a search',
    description: `At most ${MAX_SAVED_SEARCHES} per user.`,
    body: newSavedSearchSchema,
    answers: { 200: oneSearch },
  }),
  renameSavedSearch: defineRoute('PATCH', '/api/user/searches/:id', {
    tag,
    summary: 'Renames a saved search',
    params: searchId,
    body: renameSavedSearchSchema,
    answers: { 200: oneSearch },
    errors: ['NOT_FOUND'],
  }),
  deleteSavedSearch: defineRoute('DELETE', '/api/user/searches/:id', {
    tag,
    summary: 'Deletes a saved search; the creations stay',
    params: searchId,
    answers: ok({ message: z.string() }, 'Deleted'),
    errors: ['NOT_FOUND'],
  }),
};
