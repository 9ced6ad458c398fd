import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import express from 'express';
import type { Config } from '#libs/config/environment.js';
import type { Failure } from '#libs/contract/routes/define-route.js';
import type { Answer } from '#libs/contract/routes/table.js';
import { createLogger } from '#libs/observability/logger.js';
import { listening } from '../http/listen.js';
import { requestLogOptions } from '../http/request-log.js';

const RETRY_SECONDS = 5;

/**
 * Listens on the API's address while the API waits for its database. Reports live but not ready, and responds with 503
 * to all other requests, which it logs.
 * @returns a function that stops listening, so that the API can use the address
 * @throws ConfigurationError if it cannot listen there
 */
export async function answerWhileWaiting({
  host,
  port,
  logLevel,
  logAddresses,
  trustedProxies,
}: Pick<Config, 'host' | 'port' | 'logLevel' | 'logAddresses' | 'trustedProxies'>): Promise<
  () => Promise<void>
> {
  const { logRefused } = requestLogOptions(createLogger(logLevel, 'api'), { addresses: logAddresses });
  const app = express()
    .disable('x-powered-by')
    .set('trust proxy', trustedProxies)
    .use((request, response) => {
      const requestId = answer(request, response);
      if (request.path.startsWith('/health/')) return;
      logRefused({ address: request.ip ?? '', status: 503, code: 'UNAVAILABLE', requestId });
    });
  const server = createServer(app).listen(port, host);
  await listening(server, { host, port });
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

/** @returns the id of the request */
function answer(request: IncomingMessage, response: ServerResponse): string {
  const path = request.url!.split('?')[0];
  const requestId = randomUUID();
  const isAlive = path === '/health/live';
  request.resume();
  response
    .writeHead(isAlive ? 200 : 503, {
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...(!isAlive && { 'Retry-After': RETRY_SECONDS }),
    })
    .end(JSON.stringify(bodyFor(path, requestId)));
  return requestId;
}

function bodyFor(path: string | undefined, requestId: string): Answer<'live'> | Answer<'ready'> | Failure {
  if (path === '/health/live') return { success: true };
  return path === '/health/ready' ? notReady(requestId) : starting(requestId);
}

const starting = (requestId: string): Failure => ({
  success: false,
  code: 'UNAVAILABLE',
  message: 'Pressroom is starting and waits for its database. Nothing was charged; try again shortly.',
  requestId,
});

/** Reports only the database, since other services are not checked yet. */
const notReady = (requestId: string): Answer<'ready'> => ({
  ...starting(requestId),
  message: 'Not ready: no answer from database (DATABASE_URL).',
  checks: { database: false, queue: false, storage: false },
});
