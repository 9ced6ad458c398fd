import { z } from 'zod';
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
  retryAfterHeader,
  scopeOf,
  type Route,
  type RouteAnswer,
} from '#libs/contract/routes/define-route.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import { webhookEventSchemas, webhookTestSchema } from '#libs/contract/webhooks.js';
import { flowNames } from '#libs/contract/flows.js';
import { errorStatus, retryableStatuses, type ErrorCode } from '#libs/contract/errors.js';
import { flowRoute } from '#libs/contract/routes/flows.js';
import { routes } from '#libs/contract/routes/table.js';
import { toolRoute } from '#libs/contract/routes/tools.js';
import { toolNames, tools, type ToolName } from '#libs/tools/catalogue.js';
import { flowInput, flows } from '#libs/tools/flows.js';

const tags = {
  Tools: 'Each call starts a job of a tool.',
  Jobs: 'Jobs, with their progress and results.',
  Events: 'Changes as server-sent events.',
  Batches: 'Many pictures for one tool.',
  Flows: 'Several tools that run one after another.',
  Creations: 'Saved results, with versions, tags and searches.',
  'PDF chats': 'Conversations about a PDF.',
  Notebooks: 'Questions about several documents, and notes.',
  Voices: 'Saved briefs for writing.',
  Community: 'Published images.',
  Files: 'Files and public pages.',
  Account: 'Plan, credits and profile of the caller.',
  'API keys': 'Keys with which programs act for their user.',
  Webhooks: 'Events that this server sends to others, or gets from them.',
  Operations: 'Health and configuration of this server.',
  Administration: 'For operators, with a second factor where accounts are local.',
};

type Document = ReturnType<typeof createDocument>;

/**
 * @param publicUrl address of this server
 * @param audience `programs` leaves out what refuses API keys or needs none
 */
export function createOpenApi(
  publicUrl: string,
  audience: 'everyone' | 'programs' = 'everyone',
  prices: Prices = defaultPrices,
): Document {
  const { submitJob: _job, createFlow: _flow, ...others } = routes;
  const all: (readonly [operationId: string, route: Route])[] = [
    ...toolNames.map((name) => [name, toolRoute(name, tools[name], prices.tools[name])] as const),
    ...flowNames.map(
      (name) => [`create-flow-${name}`, flowRoute(name, flows[name], flowInput(name))] as const,
    ),
    ...Object.entries(others).map(([name, route]) => [kebabCase(name), route] as const),
  ];
  const named =
    audience === 'everyone' ? all : all.filter(([, route]) => !route.public && scopeOf(route) !== null);
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Pressroom',
      version: '1',
      description:
        'AI tools as jobs. Every JSON answer has `success`; an error also has `message`, `code` and `requestId`. ' +
        'Programs send an API key (`prk_…`, created on the page “API keys”) as the bearer token. ' +
        'With local accounts, sign in under `/api/auth` (better-auth’s own calls and form) and send the token of ' +
        '`GET /api/auth/token` as the bearer token; with Clerk, send Clerk’s session token. `GET /api/config` names ' +
        'the one in use. Sign-up, sign-in and profile under `/api/auth`: `sign-up/email`, `sign-in/email`, `sign-out`, ' +
        '`update-user`, `change-password`, `list-sessions`, `revoke-session`, `revoke-other-sessions`, `delete-user`, ' +
        'passkeys and authenticator apps under `passkey/` and `two-factor/`; ' +
        'with mail also `send-verification-email`, `request-password-reset`, `reset-password`, `change-email`. Live events come ' +
        'as server-sent events, or over socket.io on the same origin with `auth: { token }`. Answers that count towards a ' +
        'rate limit have the fields `RateLimit-Policy` and `RateLimit`. Forms may have fields as JSON instead, if they have no file.',
      license: { name: 'All rights reserved', url: `${publicUrl}/terms` },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or a session token.' },
      },
      schemas: Object.fromEntries(toolNames.map((name) => [resultName(name), resultSchema(name)])),
    },
    paths: pathsOf(named),
    webhooks: Object.fromEntries(
      [...Object.entries(webhookEventSchemas), ['webhook.test', webhookTestSchema] as const].map(
        ([type, schema]) => [type, { post: webhookOperation(type, schema) }],
      ),
    ),
  });
  return withResultTypes(document);
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const resultName = (tool: ToolName) =>
  `${tool.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Result`;

/** A stored result: the tool's output, the creation's id, and fields that workers of another version may have added. */
const resultSchema = (name: ToolName) =>
  z.looseObject({ ...(tools[name].output as z.ZodObject).shape, creationId: z.uuid().optional() });

/**
 * Types a job's result as one of the tools' results, which the contract of jobs cannot name, and its error codes, which the
 * client must not validate.
 */
function withResultTypes(document: Document): Document {
  const schemas = document.components?.schemas ?? {};
  const job = schemas.Job as { properties: Record<string, object> };
  const results = toolNames.map((name) => ({ $ref: `#/components/schemas/${resultName(name)}` }));
  job.properties.result = { anyOf: [...results, { type: 'null' }] };
  const code = { type: 'string', enum: Object.keys(errorStatus) };
  job.properties.error = {
    anyOf: [
      {
        type: 'object',
        properties: { code, message: { type: 'string' } },
        required: ['code', 'message'],
      },
      { type: 'null' },
    ],
  };
  job.properties.tool = { type: 'string', enum: toolNames };
  removeUnused(document, schemas);
  return document;
}

/** Removes schemas that only the replaced result named, and those that only these named. */
function removeUnused(document: Document, schemas: Record<string, unknown>): void {
  const text = JSON.stringify(document);
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
  for (const name of unused) delete schemas[name];
  if (unused.length > 0) removeUnused(document, schemas);
}

function pathsOf(entries: (readonly [operationId: string, route: Route])[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [operationId, route] of entries) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return paths;
}

function operation(operationId: string, route: Route): ZodOpenApiOperationObject {
  const { tag, summary, params, query, headers, body, form, example } = route;
  const media = example && { example: { ...example, ...(form && requiredFiles(form)) } };
  // One media type: generated clients take the first, and would lose the files of the other.
  const content = form
    ? { 'multipart/form-data': { schema: withJsonFields(form), ...media } }
    : { 'application/json': { schema: body, ...media } };
  const requestParams = {
    ...(params && { path: params }),
    ...(query && { query }),
    ...(headers && { header: headers }),
  };
  return {
    tags: [tag],
    operationId,
    summary,
    description: [route.description, keyNote(route)].filter(Boolean).join(' ') || undefined,
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

/** Headers of Standard Webhooks. */
const webhookHeaders = z.object({
  'webhook-id': z.uuid().meta({ description: 'The same each time the event is sent.' }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, of this request.' }),
  'webhook-signature': z.string().meta({
    description:
      'Signatures of `<id>.<timestamp>.<body>`, separated by spaces: `v1,` with HMAC-SHA256 of the secret, `v1a,` with Ed25519. During a rotation, of both keys.',
  }),
});

const webhookOperation = (type: string, schema: z.ZodType): ZodOpenApiOperationObject => ({
  tags: ['Webhooks'],
  operationId: `receive-${type.replace('.', '-')}`,
  summary: `Event \`${type}\``,
  description: schema.description,
  security: [],
  requestParams: { header: webhookHeaders },
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: {
    '2XX': { description: 'The event arrived.' },
    410: { description: 'Gone: the webhook is switched off.' },
    '4XX': { description: 'The event is sent again later. `Retry-After` is honoured.' },
    '5XX': { description: 'The event is sent again later. `Retry-After` is honoured.' },
  },
});

function keyNote(route: Route): string | undefined {
  if (route.public) return undefined;
  const scope = scopeOf(route);
  if (scope === null) return 'API keys are refused.';
  return `API keys need the scope ${scope === 'tool' ? 'of the tool' : `\`${scope}\``}.`;
}

/** Stands for the files in an example. */
const requiredFiles = (form: z.ZodObject) =>
  Object.fromEntries(
    Object.entries(form.shape).flatMap(([name, field]) =>
      field instanceof z.ZodFile ? [[name, '(file)']] : [],
    ),
  );

/** A form's fields are text, so lists and objects are sent as JSON. */
const withJsonFields = (form: z.ZodObject): z.ZodObject =>
  form.extend(
    Object.fromEntries(
      Object.entries(form.shape)
        .filter(([, field]) => isStructured(field as z.ZodType))
        .map(([name, field]) => [name, jsonText(field as z.ZodType)]),
    ),
  );

function jsonText(field: z.ZodType) {
  const description = [field.description, 'JSON text.'].filter(Boolean).join(' ');
  return z.string().optional().meta({ description, contentMediaType: 'application/json' });
}

function isStructured(field: z.ZodType): boolean {
  const { type } = z.toJSONSchema(field, { unrepresentable: 'any', io: 'input' });
  return type === 'array' || type === 'object';
}

const response = ({ content, ...answer }: RouteAnswer) => ({
  ...answer,
  content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
});

/**
 * All errors of a route: its own errors, and common errors that depend on token, parameters and body. Routes under
 * `/api` can get body errors even if they expect no body.
 */
const errorsOf = (route: Route): ErrorCode[] => [
  ...new Set([
    ...(route.errors ?? []),
    ...(route.public ? [] : commonErrors),
    ...(route.public ? [] : [scopeOf(route) === null ? ('FORBIDDEN' as const) : ('SCOPE_REQUIRED' as const)]),
    ...(route.params ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.path.startsWith('/api/') ? requestErrors : []),
  ]),
];

function failures(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      response({
        ...json(failureSchema, group.map((code) => `\`${code}\``).join(', ')),
        ...(retryableStatuses.includes(status) && { headers: retryAfterHeader }),
      }),
    ]),
  );
}
