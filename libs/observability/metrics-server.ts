import { once } from 'node:events';
import { createServer } from 'node:http';
import type { MetricsConfig } from '#libs/config/environment.js';
import { registry, scrape, addProcessMetrics } from './metrics.js';

export interface MetricsServer {
  close(): Promise<void>;
}

/** Serves `GET /metrics` in Prometheus' text format on a port of its own. @throws if the port cannot be opened */
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
  // Lets the process exit while the server is open.
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
 * Serves metrics while a worker waits for its database, so that probes succeed.
 * @returns a function that closes the server
 */
export async function metricsWhileWaiting(metrics: MetricsConfig | null): Promise<() => Promise<void>> {
  // Ignores an error. The worker opens the port again at its start, and logs an error then.
  const server = metrics && (await serveMetrics(metrics, () => undefined).catch(() => null));
  return async () => server?.close();
}
