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

/** Log fields of a request: its id, and once known the user and the job. */
export const logContextOf = (request: IncomingMessage): Readonly<LogContext> => contexts.get(request) ?? {};

/**
 * Creates a request's log context, measures its duration, and starts a trace or continues the one in the request's
 * `traceparent`.
 */
export const traceRequest: RequestHandler = (request, response, next) => {
  const { method } = request;
  const startedAt = response.locals['startedAt'] as number;
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

/** Label of the route for metrics: the pattern instead of the path, since callers could create any number of paths. */
function routeOf(request: Request): string {
  const path = request.originalUrl.split('?')[0] ?? '';
  for (const mount of ['/api/auth', '/admin/queues']) {
    if (path === mount || path.startsWith(`${mount}/`)) return `${mount}/*`;
  }
  const pattern = (request.route as { path?: unknown } | undefined)?.path;
  // Requests without a controller end in Nest's middleware, whose pattern `*splat` matches every path.
  if (typeof pattern === 'string' && !pattern.includes('splat')) return pattern;
  return path.startsWith('/api/') ? 'unmatched' : 'web';
}
