import { toNodeHandler } from 'better-auth/node';
import type { Application, ErrorRequestHandler, RequestHandler } from 'express';
import type { LocalAccounts } from '#libs/accounts/local/accounts.js';
import { CLIENT_ADDRESS_HEADER } from '#libs/accounts/local/options.js';
import { jsonBody } from '../http/json-body.js';
import type { RateLimits } from '../http/rate-limits.js';
import { toAppError } from '../http/to-app-error.js';

/**
 * Puts the local accounts at `/api/auth`, before any other body parser. What goes wrong before better-auth sees the
 * request is answered in its own form, `{code, message}`.
 */
export function mountLocalAccounts(app: Application, accounts: LocalAccounts, limits: RateLimits): void {
  app.use(
    '/api/auth',
    countAddress(limits),
    ...jsonBody('16kb'),
    describeConnection(new URL(accounts.publicUrl)),
    toNodeHandler((request: Request) => accounts.handle(request)),
    answerInItsForm,
  );
}

const countAddress =
  (limits: RateLimits): RequestHandler =>
  async (request, _response, next) => {
    await limits.countAddress(request.ip);
    next();
  };

/**
 * better-auth believes headers; so it is told about the connection by us alone: the address that our proxy settings
 * found, and our own origin whatever Host the request names.
 */
function describeConnection({ host, protocol }: URL): RequestHandler {
  return (request, _response, next) => {
    const { headers } = request;
    // Before the headers go from which Express reads it.
    const address = request.ip?.replace(/%.*$/, '');
    for (const name of Object.keys(headers)) {
      if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete headers[name];
    }
    headers.host = host;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    headers[CLIENT_ADDRESS_HEADER] = address;
    // Node's own fetch sends Sec-Fetch-Mode without an Origin, and would be taken for a browser that hides its page.
    // Every browser that sends these headers sends Sec-Fetch-Site.
    if (!headers['sec-fetch-site']) {
      delete headers['sec-fetch-mode'];
      delete headers['sec-fetch-dest'];
    }
    next();
  };
}

const answerInItsForm: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error);
  const { code, message, status, retryAfterSeconds } = toAppError(error);
  if (status >= 500) request.log.error({ err: error as unknown }, message);
  if (retryAfterSeconds) response.setHeader('Retry-After', retryAfterSeconds);
  response.status(status).json({ code, message });
};
