import { createMcpHandler, ProtocolError, type AuthInfo } from '@modelcontextprotocol/server';
import { toNodeHandler, type FetchLikeMcpHandler } from '@modelcontextprotocol/node';
import type { Application, Request, RequestHandler } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { logErrors } from '#libs/observability/log-errors.js';
import type { AppTokens } from '#libs/accounts/app-tokens.js';
import { BodyBudget, type CountedBody } from '../http/body-budget.js';
import { hasBody } from '../http/body-rate.js';
import { parseJson, requireJson } from '../http/json-body.js';
import type { RateLimits } from '../http/rate-limits.js';
import { readBody } from '../http/read-body.js';
import type { UnsentAnswers } from '../http/unsent-answers.js';
import type { Callers } from '../auth/callers.js';
import type { McpCall, McpTools } from './mcp-tools.js';

/** A picture of 10 MB as base64, and its fields. */
const BODY_MAX_BYTES = 15 * 2 ** 20;
/** Maximum bytes of all bodies together, and of one user's. */
const BODIES = { total: 8 * BODY_MAX_BYTES, perCaller: 2 * BODY_MAX_BYTES };
/** Calls in one request. Their results, of up to 3 MB each, wait in memory until the client reads them. */
const MAX_CALLS = 10;
/** A body of this size has no file. It does not count while its call waits for a job. */
const SMALL_BYTES = 64 * 2 ** 10;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

interface McpRequest extends Request {
  auth?: AuthInfo;
}

export interface McpOptions {
  tools: McpTools;
  callers: Callers;
  limits: RateLimits;
  unsent: UnsentAnswers;
  /** Null if apps cannot sign users in. */
  appTokens: AppTokens | null;
  publicUrl: string;
}

interface Extra extends Record<string, unknown>, McpCall {
  /** The parsed body. */
  message: unknown;
}

/** A body whose JSON is nothing: the adapter would write the message as JSON again, and keep it. */
const NO_BODY = { toJSON: () => undefined };

/**
 * Mounts the Model Context Protocol at `/mcp`, stateless: revision 2026-07-28, and the revisions of 2025 on the same address.
 * Must be mounted before any body parser.
 */
export function mountMcp(
  app: Application,
  { tools, callers, limits, unsent, appTokens, publicUrl }: McpOptions,
): void {
  const metadataUrl = `${publicUrl}${METADATA_PATH}/mcp`;
  if (appTokens) serveMetadata(app, appTokens, limits);
  const log = logErrors('MCP');
  const onError = (error: Error) => {
    if (!isOfCaller(error)) log(error);
  };
  const handler = createMcpHandler(({ authInfo }) => tools.createServer(extraOf(authInfo)), {
    onerror: onError,
    maxRequestBodySize: BODY_MAX_BYTES,
  });
  const fetch: FetchLikeMcpHandler['fetch'] = (request, options) =>
    handler.fetch(request, { ...options, parsedBody: extraOf(options?.authInfo).message });
  const handle = toNodeHandler({ fetch }, { onerror: onError });
  const bodies = new BodyBudget(BODIES);

  const identify: RequestHandler = async (request: McpRequest, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    requireOwnOrigin(request, publicUrl);
    const { apiKey, ...caller } = await callers
      .identify(request, response, { isSubmission: false, acceptsApps: true })
      .catch((error: unknown) => {
        if (appTokens && error instanceof AppError && error.code === 'UNAUTHENTICATED')
          response.setHeader('WWW-Authenticate', challengeOf(appTokens, metadataUrl));
        throw error;
      });
    // Keys without an expiry, which the library refuses, count as valid for the request.
    const expiresAt = Math.floor((apiKey?.expiresAt?.getTime() ?? Date.now() + 3_600_000) / 1_000);
    request.auth = {
      token: '',
      clientId: caller.userId,
      scopes: apiKey?.scopes ?? [],
      expiresAt,
      extra: {
        caller: { userId: caller.userId, apiKey },
        response,
        releaseBody: () => undefined,
        message: undefined,
      } satisfies Extra,
    };
    next();
  };
  app.use('/mcp', identify, async (request: McpRequest, response) => {
    const extra = extraOf(request.auth);
    unsent.count(extra.caller.userId, response);
    const body = bodies.open(extra.caller.userId);
    response.once('close', body.release);
    extra.releaseBody = body.release;
    extra.message = await readMessage(request, body);
    // Clients of the revision 2025-03-26 may send several calls in one request.
    if (Array.isArray(extra.message) && extra.message.length > MAX_CALLS)
      throw new AppError('VALIDATION_FAILED', `Send at most ${MAX_CALLS} calls in one request.`);
    if (Array.isArray(extra.message)) await limits.countFurtherCalls(extra.caller, extra.message.length - 1);
    await handle(request, response, NO_BODY);
  });
}

/** True for what the library refuses. The refused request has its own line in the log. */
const isOfCaller = (error: Error) =>
  error instanceof ProtocolError || /^(Rejected inbound request|Unsupported Media Type)/.test(error.message);

const extraOf = (auth: AuthInfo | undefined) => auth!.extra as Extra;

/** @returns undefined without a body */
async function readMessage(request: Request, { add, release }: CountedBody): Promise<unknown> {
  requireJson(request);
  const body = hasBody(request) ? await readBody(request, BODY_MAX_BYTES, add) : Buffer.alloc(0);
  const message = body.length > 0 ? parseJson(body) : undefined;
  if (body.length <= SMALL_BYTES) release();
  return message;
}

const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Serves the metadata of RFC 9728, by which clients find the OAuth server. */
function serveMetadata(app: Application, appTokens: AppTokens, limits: RateLimits): void {
  const { resource, authorizationServer, scopes } = appTokens;
  const metadata = {
    resource,
    resource_name: 'Pressroom',
    authorization_servers: [authorizationServer],
    bearer_methods_supported: ['header'],
    ...(scopes && { scopes_supported: scopes }),
  };
  app.get([METADATA_PATH, `${METADATA_PATH}/mcp`], async (request, response) => {
    await limits.countAddress(request.ip, response);
    response.json(metadata);
  });
}

const challengeOf = ({ scopes }: AppTokens, metadataUrl: string) =>
  `Bearer resource_metadata="${metadataUrl}"${scopes ? `, scope="${scopes.join(' ')}"` : ''}`;

/** Refuses other websites in a user's browser (DNS rebinding). Programs send no origin. */
function requireOwnOrigin(request: Request, publicUrl: string): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const [own, other] = [new URL(publicUrl).hostname, URL.parse(origin)?.hostname];
  if (other === undefined || (other !== own && !(LOOPBACK.has(own) && LOOPBACK.has(other))))
    throw new AppError('FORBIDDEN', 'This page is not served from the address of this server.');
}
