import { toNodeHandler } from 'better-auth/node';
import { Router, urlencoded, type Application, type ErrorRequestHandler, type RequestHandler } from 'express';
import { APP_METADATA_PATH } from '#libs/accounts/local/app-authorization.js';
import type { LocalAccounts } from '#libs/accounts/local/accounts.js';
import { CLIENT_ADDRESS_HEADER } from '#libs/accounts/local/options.js';
import { AppError } from '#libs/contract/errors.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import { jsonBody, type RequestBodies } from '../http/json-body.js';
import type { RateLimits } from '../http/rate-limits.js';
import { toAppError } from '../http/to-app-error.js';

const BODY_MAX_BYTES = 16 * 2 ** 10;

/**
 * Mounts better-auth at `/api/auth`. Must be mounted before any body parser. Errors thrown before better-auth runs are
 * returned in its format, `{code, message}`.
 */
export function mountLocalAccounts(
  app: Application,
  { accounts, limits, bodies }: { accounts: LocalAccounts; limits: RateLimits; bodies: RequestBodies },
): void {
  const handle: RequestHandler[] = [
    setConnectionHeaders(new URL(accounts.publicUrl)),
    toNodeHandler((request: Request) => accounts.handle(request)) as RequestHandler,
  ];
  app.get(APP_METADATA_PATH, countAddress(limits), ...handle, answerInAuthForm);
  app.use('/api/auth', countAddress(limits), refuseTrace, readBody(bodies), ...handle, answerInAuthForm);
}

/** Bodies are JSON, and forms where OAuth requires it. */
const readBody = (bodies: RequestBodies) =>
  Router()
    .use(
      /^\/oauth2\/(token|revoke)$/,
      urlencoded({ extended: false, limit: BODY_MAX_BYTES, inflate: false }),
      (_request, _response, next) => next('router'),
    )
    .use(jsonBody(bodies, BODY_MAX_BYTES));

const countAddress =
  (limits: RateLimits): RequestHandler =>
  async (request, response, next) => {
    await limits.countAddress(request.ip, response);
    next();
  };

/** Rejects TRACE and TRACK before better-auth, since a `Request` object with these methods cannot be created. */
const refuseTrace: RequestHandler = ({ method }, _response, next) => {
  if (method !== 'TRACE' && method !== 'TRACK') return next();
  throw new AppError('NOT_FOUND', `There is no such call: ${method}`);
};

/**
 * Replaces headers that better-auth trusts: host and protocol by the configured origin, and the client's address by the
 * one found with this server's proxy settings.
 */
function setConnectionHeaders({ host, protocol }: URL): RequestHandler {
  return (request, _response, next) => {
    const { headers } = request;
    // Read the address first: Express derives it from headers that are deleted below.
    const address = request.ip?.replace(/%.*$/, '');
    for (const name of Object.keys(headers)) {
      if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete headers[name];
    }
    headers.host = host;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    headers[CLIENT_ADDRESS_HEADER] = address;
    // Node's fetch sends Sec-Fetch-Mode without Origin, so better-auth would take it for a browser without an origin.
    // Real browsers also send Sec-Fetch-Site.
    if (!headers['sec-fetch-site']) {
      delete headers['sec-fetch-mode'];
      delete headers['sec-fetch-dest'];
    }
    next();
  };
}

const answerInAuthForm: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error);
  const { code, message, status, retryAfterSeconds } = toAppError(error);
  addToLogContext({ code });
  if (status >= 500) request.log.error({ err: error as unknown }, message);
  if (retryAfterSeconds) response.setHeader('Retry-After', retryAfterSeconds);
  response.status(status).json({ code, message });
};
