import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { Application, Request, RequestHandler, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import type { AppTokens } from '#libs/accounts/app-tokens.js';
import type { RateLimits } from '../http/rate-limits.js';
import type { UnsentAnswers } from '../http/unsent-answers.js';
import type { Callers } from '../auth/callers.js';
import type { McpTools } from './mcp-tools.js';

/** A picture of 10 MB as base64, and its fields. */
const BODY_MAX_BYTES = 15 * 2 ** 20;
/** Maximum bytes of all bodies together, and of one user's. A body is in memory until its answer ends. */
const BODIES_MAX_BYTES = 8 * BODY_MAX_BYTES;
const BODIES_PER_USER_MAX_BYTES = 2 * BODY_MAX_BYTES;

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

interface Extra extends Record<string, unknown> {
  caller: Caller;
  response: Response;
}

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
  const onError = logErrors('MCP');
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { caller, response } = authInfo!.extra as Extra;
      return tools.createServer(caller, response);
    },
    { onerror: onError, maxRequestBodySize: BODY_MAX_BYTES },
  );
  const handle = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: BODY_MAX_BYTES });
  const bodies = new MemoryBudget(BODIES_MAX_BYTES);
  const bytesOfUsers = new Map<string, number>();

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
      extra: { caller: { userId: caller.userId, apiKey }, response } satisfies Extra,
    };
    next();
  };
  app.use('/mcp', identify, async (request: McpRequest, response) => {
    const size = bodySizeOf(request);
    const { userId } = (request.auth!.extra as Extra).caller;
    unsent.count(userId, response);
    const own = (bytesOfUsers.get(userId) ?? 0) + size;
    if (own > BODIES_PER_USER_MAX_BYTES)
      throw new AppError(
        'RATE_LIMITED',
        'Too many of your calls with files are running. Wait until one has ended.',
      );
    bytesOfUsers.set(userId, own);
    const closed = new AbortController();
    response.once('close', () => {
      const left = bytesOfUsers.get(userId)! - size;
      if (left > 0) bytesOfUsers.set(userId, left);
      else bytesOfUsers.delete(userId);
      closed.abort();
    });
    const release = await bodies.take(size, closed.signal);
    response.once('close', release);
    await handle(request, response);
  });
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

/** Bytes that the body may need. Its size is unknown beforehand if it is sent in chunks. */
function bodySizeOf({ headers }: Request): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_MAX_BYTES;
  return Math.min(Number(headers['content-length'] ?? 0), BODY_MAX_BYTES);
}

/** Refuses other websites in a user's browser (DNS rebinding). Programs send no origin. */
function requireOwnOrigin(request: Request, publicUrl: string): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const [own, other] = [new URL(publicUrl).hostname, URL.parse(origin)?.hostname];
  if (other === undefined || (other !== own && !(LOOPBACK.has(own) && LOOPBACK.has(other))))
    throw new AppError('FORBIDDEN', 'This page is not served from the address of this server.');
}
