import { once } from 'node:events';
import { createServer } from 'node:http';
import type { MetricsConfig } from '#libs/config/environment.js';
import { registry, scrape, addProcessMetrics } from './metrics.js';

export interface MetricsServer {
  close(): Promise<void>;
}

/** Serves `GET /metrics` in Prometheus' text format, on a separate port. @throws the server's error */
export async function serveMetrics(
  { host, port }: MetricsConfig,
  onError: (error: Error) => void,
): Promise<MetricsServer> {
  addProcessMetrics();
  const server = createServer((request, response) => {
    const isMetrics = request.url?.split('?')[0] === '/metrics';
    if (!isMetrics || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isMetrics ? 405 : 404, isMetrics ? { Allow: 'GET, HEAD' } : {}).end();
      return;
    }
    scrape(onError).then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      (error: unknown) => {
        onError(error as Error);
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  // The server must not keep the process alive.
  server.unref();
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Serves metrics while a worker waits for its database, for probes.
 * @returns a function that stops it
 */
export async function metricsWhileWaiting(metrics: MetricsConfig | null): Promise<() => Promise<void>> {
  // A failure is ignored here and logged when the worker starts.
  const server = metrics && (await serveMetrics(metrics, () => undefined).catch(() => null));
  return async () => server?.close();
}
