import { createDocument } from 'zod-openapi';
import { accountPaths } from './paths/account.js';
import { communityPaths } from './paths/community.js';
import { creationPaths } from './paths/creations.js';
import { filePaths } from './paths/files.js';
import { jobPaths } from './paths/jobs.js';
import { operationPaths } from './paths/operations.js';
import { pdfChatPaths } from './paths/pdf-chats.js';
import { toolPaths } from './paths/tools.js';

/** The OpenAPI description, made from the schemas that validate. */
export function createOpenApi(): ReturnType<typeof createDocument> {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Pressroom',
      version: '1',
      description:
        'AI tools as jobs. Every JSON answer has `success`; a refusal has `message`, `code` and `requestId` beside it. ' +
        'With local accounts, sign in under `/api/auth` (better-auth’s own calls and form) and send the token of ' +
        '`GET /api/auth/token` as the bearer token; with Clerk, send Clerk’s session token. `GET /api/config` says which ' +
        'of the two it is. Sign-up, sign-in and profile under `/api/auth`: `sign-up/email`, `sign-in/email`, `sign-out`, ' +
        '`update-user`, `change-password`, `list-sessions`, `revoke-session`, `revoke-other-sessions`, `delete-user`; ' +
        'where mail is on also `send-verification-email`, `request-password-reset`, `reset-password`, `change-email`. Live events come ' +
        'over socket.io on the same origin, with `auth: { token }`.',
    },
    security: [{ bearer: [] }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    paths: {
      ...toolPaths,
      ...pdfChatPaths,
      ...jobPaths,
      ...accountPaths,
      ...creationPaths,
      ...communityPaths,
      ...filePaths,
      ...operationPaths,
    },
  });
}
