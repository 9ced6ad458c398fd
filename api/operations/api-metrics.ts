import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { WATCHED_TASKS } from '#libs/alerts/conditions.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { maintenanceAge, onScrape, serviceUp, sockets } from '#libs/observability/metrics.js';
import { collectQueues } from '#libs/scheduling/queue-metrics.js';
import { Readiness } from '#libs/health/readiness.js';

@Injectable()
export class ApiMetrics implements OnApplicationBootstrap, OnModuleDestroy {
  private stops: (() => void)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly live: SocketServer,
    private readonly readiness: Readiness,
    @Inject(CONFIG) private readonly config: Pick<Config, 'metrics'>,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.metrics) return;
    this.stops = [
      onScrape(() => sockets.set(this.live.io.engine.clientsCount)),
      onScrape(() => this.collectServices()),
      onScrape(() => collectQueues(this.dataSource)),
      onScrape(() => this.collectMaintenance()),
    ];
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  private async collectMaintenance(): Promise<void> {
    const tasks = await this.dataSource.query<{ name: string; age: number }[]>(
      `SELECT name, extract(epoch FROM now() - ran_at)::float AS age FROM maintenance_tasks WHERE name = ANY ($1)`,
      [WATCHED_TASKS],
    );
    for (const { name, age } of tasks) maintenanceAge.set({ task: name }, age);
  }

  private async collectServices(): Promise<void> {
    const checks = await this.readiness.check();
    for (const [service, ok] of Object.entries(checks)) serviceUp.set({ service }, ok ? 1 : 0);
  }
}
