import { z } from 'zod';
import {
  allowAppSchema,
  apiKeySchema,
  changeApiKeySchema,
  MAX_API_KEYS,
  newApiKeySchema,
} from '../api-keys.js';
import { defineRoute, json, ok, success } from './define-route.js';

const tag = 'API keys';
const params = z.object({ id: z.string().meta({ description: 'The key’s id.' }) });
const keyAnswer = json(success({ key: apiKeySchema }), 'The key');

export const apiKeyRoutes = {
  listApiKeys: defineRoute('GET', '/api/keys', {
    tag,
    summary: 'The caller’s API keys with their use this month, newest first',
    scope: null,
    answers: ok({ keys: z.array(apiKeySchema) }, 'The keys'),
  }),
  createApiKey: defineRoute('POST', '/api/keys', {
    tag,
    summary: 'Creates an API key',
    description: `The secret is in this answer only. At most ${MAX_API_KEYS} keys per user.`,
    scope: null,
    body: newApiKeySchema,
    example: { name: 'Nightly product photos', scopes: ['images', 'read'], monthlyJobs: 500 },
    answers: ok(
      {
        key: apiKeySchema,
        secret: z.string().meta({ description: 'The bearer token of programs: `prk_…`.' }),
      },
      'The key and its secret',
    ),
  }),
  allowApp: defineRoute('PUT', '/api/keys/apps/:clientId', {
    tag,
    summary: 'Allows an app that signs in through Clerk',
    description:
      'The app then calls `/mcp` with access tokens of Clerk. With local accounts, users consent as they sign in.',
    scope: null,
    params: z.object({
      clientId: z.string().meta({ description: 'One of `accounts.apps` of `/api/config`.' }),
    }),
    body: allowAppSchema,
    example: { scopes: ['images', 'read'] },
    answers: { 200: keyAnswer },
    errors: ['NOT_FOUND'],
  }),
  changeApiKey: defineRoute('PATCH', '/api/keys/:id', {
    tag,
    summary: 'Changes name, rate and monthly caps of an API key',
    scope: null,
    params,
    body: changeApiKeySchema,
    answers: { 200: keyAnswer },
    errors: ['NOT_FOUND'],
  }),
  revokeApiKey: defineRoute('DELETE', '/api/keys/:id', {
    tag,
    summary: 'Revokes an API key at once; its jobs continue',
    scope: null,
    params,
    answers: ok({ message: z.string() }, 'Revoked'),
    errors: ['NOT_FOUND'],
  }),
};
