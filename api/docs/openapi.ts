import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import {
  failureSchema,
  commonErrors,
  json,
  requestErrors,
  type Route,
  type RouteAnswer,
} from '#libs/contract/routes/define-route.js';
import { flowNames } from '#libs/contract/flows.js';
import { errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import { flowRoute } from '#libs/contract/routes/flows.js';
import { routes } from '#libs/contract/routes/table.js';
import { toolRoute } from '#libs/contract/routes/tools.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import { flowInput, flows } from '#libs/tools/flows.js';

export function createOpenApi(): ReturnType<typeof createDocument> {
  const { submitJob: _job, createFlow: _flow, ...others } = routes;
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Pressroom',
      version: '1',
      description:
        'AI tools as jobs. Every JSON answer has `success`; an error also has `message`, `code` and `requestId`. ' +
        'With local accounts, sign in under `/api/auth` (better-auth’s own calls and form) and send the token of ' +
        '`GET /api/auth/token` as the bearer token; with Clerk, send Clerk’s session token. `GET /api/config` names ' +
        'the one in use. Sign-up, sign-in and profile under `/api/auth`: `sign-up/email`, `sign-in/email`, `sign-out`, ' +
        '`update-user`, `change-password`, `list-sessions`, `revoke-session`, `revoke-other-sessions`, `delete-user`, ' +
        'passkeys and authenticator apps under `passkey/` and `two-factor/`; ' +
        'with mail also `send-verification-email`, `request-password-reset`, `reset-password`, `change-email`. Live events come ' +
        'over socket.io on the same origin, with `auth: { token }`.',
    },
    security: [{ bearer: [] }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    paths: pathsOf([
      ...toolNames.map((name) => [name, toolRoute(name, tools[name])] as const),
      ...flowNames.map(
        (name) => [`create-flow-${name}`, flowRoute(name, flows[name], flowInput(name))] as const,
      ),
      ...Object.entries(others).map(([name, route]) => [kebabCase(name), route] as const),
    ]),
  });
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function pathsOf(entries: (readonly [operationId: string, route: Route])[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [operationId, route] of entries) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return paths;
}

function operation(operationId: string, route: Route): ZodOpenApiOperationObject {
  const { tag, summary, description, params, query, headers, body, form } = route;
  const content = {
    ...(form && { 'multipart/form-data': { schema: form } }),
    ...(body && { 'application/json': { schema: body } }),
  };
  const requestParams = {
    ...(params && { path: params }),
    ...(query && { query }),
    ...(headers && { header: headers }),
  };
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    ...(route.public && { security: [] }),
    ...(Object.keys(requestParams).length > 0 && { requestParams }),
    ...((form || body) && { requestBody: { required: route.bodyRequired ?? true, content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, response(answer)]),
      ),
      ...failures(errorsOf(route)),
    },
  };
}

const response = ({ content, ...answer }: RouteAnswer) => ({
  ...answer,
  content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
});

/**
 * All errors of a route: its own errors, and common errors that depend on token, parameters and body. Routes under
 * `/api` can get body errors even if they expect no body.
 */
const errorsOf = ({ errors = [], path, params, public: isPublic }: Route): ErrorCode[] => [
  ...new Set([
    ...errors,
    ...(isPublic ? [] : commonErrors),
    ...(params ? (['VALIDATION_FAILED'] as const) : []),
    ...(path.startsWith('/api/') ? requestErrors : []),
  ]),
];

function failures(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      response(json(failureSchema, group.map((code) => `\`${code}\``).join(', '))),
    ]),
  );
}
