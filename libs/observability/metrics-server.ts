import { once } from 'node:events';
import { createServer } from 'node:http';
import type { MetricsConfig } from '#libs/config/environment.js';
import { registry, scrape, addProcessMetrics } from './metrics.js';

export interface MetricsServer {
  close(): Promise<void>;
}

/** Answers `GET /metrics` in Prometheus' text form, on a port of its own. @throws the listener's error */
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
  // Scrapers do not keep the process alive.
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
 * Answers probes of a worker that waits for its database before it starts. Without METRICS_PORT it has none.
 * @returns ends it
 */
export async function metricsWhileWaiting(metrics: MetricsConfig | null): Promise<() => Promise<void>> {
  // Without metrics it waits all the same; why they cannot be served is said once it starts.
  const server = metrics && (await serveMetrics(metrics, () => undefined).catch(() => null));
  return async () => server?.close();
}
