import {
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Config } from '#libs/config/environment.js';
import { serveMetrics, type MetricsServer } from '#libs/observability/metrics-server.js';
import { startTracing, stopTracing } from '#libs/observability/tracing.js';

const TELEMETRY = Symbol('TELEMETRY');

/** What a process tells of itself: metrics on their own port, and traces, each only where it is configured. */
@Global()
@Module({})
export class TelemetryModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: MetricsServer | undefined;

  constructor(@Inject(TELEMETRY) private readonly config: Pick<Config, 'metrics'>) {}

  static for(process: 'api' | 'worker', config: Config): DynamicModule {
    const telemetry = {
      provide: TELEMETRY,
      useFactory: async () => {
        await startTracing(`pressroom-${process}`, config.otlpEndpoint);
        return config;
      },
    };
    return { module: TelemetryModule, providers: [telemetry] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metrics } = this.config;
    if (!metrics) return;
    try {
      this.server = await serveMetrics(metrics, (error) => this.logger.warn(error.message));
    } catch (error) {
      // A process that cannot be watched still serves users.
      const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      this.logger.error(`METRICS_PORT ${metrics.port} of ${metrics.host} cannot be opened: ${why}`);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close();
    await stopTracing();
  }
}
