import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { httpSeconds } from '#libs/observability/metrics.js';
import { activeTrace, inSpan } from '#libs/observability/tracing.js';
import {
  logContext,
  addToLogContext,
  withLogContext,
  type LogContext,
} from '#libs/observability/log-context.js';
import { requestIdOf } from './request-id.js';

const contexts = new WeakMap<IncomingMessage, Readonly<LogContext>>();

/** The log context of a request: its id, and later the user and the job. */
export const logContextOf = (request: IncomingMessage): Readonly<LogContext> => contexts.get(request) ?? {};

/**
 * Opens a request's log context, measures the request, and starts a trace or continues the one in the caller's
 * `traceparent`.
 */
export const traceRequest: RequestHandler = (request, response, next) => {
  const startedAt = performance.now();
  const { method } = request;
  withLogContext({ requestId: requestIdOf(request) }, () => {
    contexts.set(request, logContext());
    const parent = request.header('traceparent');
    const attributes = { 'http.request.method': method, 'pressroom.request_id': requestIdOf(request) };
    void inSpan(method, { kind: 'server', parent, attributes }, async (span) => {
      addToLogContext({ traceId: activeTrace()?.traceId });
      const closed = new Promise((resolve) => response.once('close', resolve));
      next();
      await closed;
      const route = routeOf(request);
      const status = response.statusCode;
      httpSeconds.observe({ method, route, status }, (performance.now() - startedAt) / 1000);
      span.rename(`${method} ${route}`);
      const { userId, jobId } = logContextOf(request);
      span.set({
        'http.route': route,
        'http.response.status_code': status,
        'pressroom.user_id': userId,
        'pressroom.job_id': jobId,
      });
      if (status >= 500) span.fail({ code: String(status) });
    });
  });
};

/** The route's pattern. Paths as labels would let callers create any number of metrics. */
function routeOf(request: Request): string {
  const path = request.originalUrl.split('?')[0] ?? '';
  for (const mount of ['/api/auth', '/admin/queues']) {
    if (path === mount || path.startsWith(`${mount}/`)) return `${mount}/*`;
  }
  const pattern = (request.route as { path?: unknown } | undefined)?.path;
  // Requests without a controller end at Nest's middleware, whose pattern matches every path.
  if (typeof pattern === 'string' && !pattern.includes('splat')) return pattern;
  return path.startsWith('/api/') ? 'unmatched' : 'web';
}
