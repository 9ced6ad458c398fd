import { resolve } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import { pinoHttp, startTime } from 'pino-http';
import { APP_TOKENS, type AppTokens } from '#libs/accounts/app-tokens.js';
import { LOCAL_ACCOUNTS, type LocalAccounts } from '#libs/accounts/local/accounts.js';
import type { Config } from '#libs/config/environment.js';
import { Callers } from './auth/callers.js';
import { mountLocalAccounts } from './auth/mount-local-accounts.js';
import { answerBrokenRequests, requireHost } from './http/broken-requests.js';
import { traceRequest } from './http/trace-request.js';
import { REQUEST_LOG } from './http/http.module.js';
import { RequestBodies } from './http/json-body.js';
import { McpTools } from './mcp/mcp-tools.js';
import { mountMcp } from './mcp/mount-mcp.js';
import { RateLimits } from './http/rate-limits.js';
import { RequestQueue } from './http/request-queue.js';
import type { RequestLogOptions } from './http/request-log.js';
import { documentationPolicy, securityHeaders } from './http/security-headers.js';
import { limitConnections, type IsProxy } from './http/connections.js';
import { minimumBodyRate } from './http/body-rate.js';
import { endStalledAnswers, UnsentAnswers } from './http/unsent-answers.js';
import { limitUnreadBody } from './http/unread-body.js';
import { WEB_BUILD_LOCAL, webClient } from './http/web-client.js';

/** Directory of the built web client, relative to the working directory. */
const WEB_BUILD = 'dist/web';

/**
 * Installs everything that runs before the controllers, in the order of execution. The application must be created with
 * `bodyParser: false`.
 */
export function configureHttp(
  app: NestExpressApplication,
  config: Config,
  webBuild = resolve(WEB_BUILD),
): void {
  const express = app.getHttpAdapter().getInstance();
  express.set('trust proxy', config.trustedProxies);
  express.set('etag', false);
  // Limits and body parsers match the exact path, so a path in another case would bypass them. Express's own setting
  // would have no effect here, since Nest has already created the router.
  Object.assign(express.router, { caseSensitive: true });
  express.disable('x-powered-by');
  const queue = new RequestQueue();
  express.use((_request, response, next) => {
    // The durations in the log and in metrics include the time in the queue.
    response[startTime] = Date.now();
    response.locals['startedAt'] = performance.now();
    next();
  });
  express.use(queue.wait);
  express.use((_request, response, next) => {
    // Logging, compression, tracing, draining and a stream listen for the end of a response: more than the default limit of 10.
    response.setMaxListeners(20);
    next();
  });
  const requestLog = app.get<RequestLogOptions>(REQUEST_LOG);
  express.use(pinoHttp(requestLog));
  express.use(traceRequest);
  express.use(limitUnreadBody);
  express.use(minimumBodyRate());
  limitConnections(
    app.getHttpServer(),
    config.open.connectionsPerAddress,
    express.get('trust proxy fn') as IsProxy,
  );
  const setSecurityHeaders = securityHeaders(config);
  answerBrokenRequests(app.getHttpServer(), setSecurityHeaders, requestLog);
  express.use(...setSecurityHeaders, requireHost, queue.refuse);
  express.use('/api/docs', documentationPolicy());
  express.use(compression({ filter: isCompressible }));
  express.use(endStalledAnswers());
  express.use('/api', (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  if (config.accounts.kind === 'local') {
    mountLocalAccounts(express, {
      accounts: app.get<LocalAccounts>(LOCAL_ACCOUNTS),
      limits: app.get(RateLimits),
      bodies: app.get(RequestBodies),
    });
  }
  mountMcp(express, {
    tools: app.get(McpTools),
    callers: app.get(Callers),
    limits: app.get(RateLimits),
    unsent: app.get(UnsentAnswers),
    appTokens: app.get<AppTokens | null>(APP_TOKENS),
    publicUrl: config.publicUrl,
  });
  express.locals[WEB_BUILD_LOCAL] = webBuild;
  express.use(webClient(webBuild, config, app.get(RateLimits)));
}

/** Excludes event streams from compression, which would delay events in its buffer. */
const isCompressible: compression.CompressionFilter = (request, response) =>
  !String(response.getHeader('Content-Type')).startsWith('text/event-stream') &&
  compression.filter(request, response);
