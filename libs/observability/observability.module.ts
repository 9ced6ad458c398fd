import {
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { serveMetrics, type MetricsServer } from './metrics-server.js';
import { startTracing, stopTracing } from './tracing.js';

/** Serves metrics on a port of their own, and sends traces, if they are configured. */
@Module({})
export class ObservabilityModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: MetricsServer | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'metrics'>) {}

  static forRoot(program: 'api' | 'worker'): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      providers: [
        {
          provide: 'TRACING',
          inject: [CONFIG],
          useFactory: ({ otlpEndpoint }: Config) => startTracing(`pressroom-${program}`, otlpEndpoint),
        },
      ],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metrics } = this.config;
    if (!metrics) return;
    try {
      this.server = await serveMetrics(metrics, (error) => this.logger.warn(error.message));
    } catch (error) {
      // Continues without metrics, because the process can still serve users.
      const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      this.logger.error(`METRICS_PORT ${metrics.port} of ${metrics.host} cannot be opened: ${reason}`);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close();
    await stopTracing();
  }
}
