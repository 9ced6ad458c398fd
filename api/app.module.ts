import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule } from '#libs/config/config.module.js';
import type { Config } from '#libs/config/environment.js';
import { provideClass } from '#libs/config/provide-class.js';
import { CostsModule } from '#libs/costs/costs.module.js';
import type { WaitOptions } from '#libs/database/data-source.js';
import { DatabaseModule } from '#libs/database/database.module.js';
import { EventsModule } from '#libs/events/events.module.js';
import { ProgramPresenceModule } from '#libs/operators/program-presence.module.js';
import { AlertsModule } from '#libs/alerts/alerts.module.js';
import { HealthModule, Readiness } from '#libs/health/readiness.js';
import { BatchesModule } from '#libs/batches/batches.module.js';
import { ImageSupportModule } from '#libs/ai/image-support.module.js';
import { BillingModule } from '#libs/billing/billing.module.js';
import { StripeModule } from '#libs/billing/stripe/stripe.module.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { FlowsModule } from '#libs/flows/flows.module.js';
import { JobsModule } from '#libs/jobs/jobs.module.js';
import { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import { SchedulingModule } from '#libs/scheduling/scheduling.module.js';
import { ObservabilityModule } from '#libs/observability/observability.module.js';
import { QueueModule } from '#libs/queue/queue.module.js';
import { StorageModule } from '#libs/storage/storage.module.js';
import { AccountModule } from './account/account.module.js';
import { AdminModule } from './admin/admin.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BatchRoutesModule } from './batches/batches.module.js';
import { CommunityModule } from './community/community.module.js';
import { ConfigController } from './config/config.controller.js';
import { CreationRoutesModule } from './creations/creations.module.js';
import { DocsController } from './docs/docs.controller.js';
import { FilesModule } from './files/files.module.js';
import { FlowRoutesModule } from './flows/flows.module.js';
import { HttpModule } from './http/http.module.js';
import { JobRoutesModule } from './jobs/jobs.module.js';
import { LiveModule } from './live/live.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { NotebookRoutesModule } from './notebooks/notebooks.module.js';
import { ApiMetrics } from './operations/api-metrics.js';
import { HealthController } from './operations/health.controller.js';
import { HealthService } from './operations/health.service.js';
import { PdfChatsModule } from './pdf-chats/pdf-chats.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { VoicesModule } from './voices/voices.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ClerkWebhooksModule } from './clerk-webhooks/clerk-webhooks.module.js';
import { StripeWebhooksModule } from './stripe-webhooks/stripe-webhooks.module.js';

/** An API process: accepts requests and sockets, checks plan and credits, and enqueues jobs. */
@Module({})
export class AppModule {
  /** @param waiting options for waiting until the database is available */
  static for(config: Config, waiting: WaitOptions = {}): DynamicModule {
    return {
      module: AppModule,
      // Nest closes modules in reverse order: the database is first here, so it is closed last, after all modules that
      // need it.
      imports: [
        ConfigModule.forRoot(config),
        ObservabilityModule.forRoot('api'),
        DatabaseModule.forRoot('api', waiting),
        StorageModule,
        QueueModule.forRoot(config),
        EventsModule,
        BillingModule.forRoot(reclaimStorage),
        StripeModule.forRoot(),
        SchedulingModule,
        CostsModule,
        JobsModule,
        BatchesModule,
        FlowsModule,
        HealthModule.forRoot('api'),
        ProgramPresenceModule.forRoot('api'),
        AlertsModule.forRoot('api', config),
        ImageSupportModule,
        HttpModule.forRoot(config),
        AuthModule.forRoot(config),
        JobRoutesModule,
        ToolsModule,
        BatchRoutesModule,
        FlowRoutesModule,
        CreationRoutesModule,
        VoicesModule,
        CommunityModule,
        PdfChatsModule,
        NotebookRoutesModule,
        FilesModule,
        AccountModule,
        ClerkWebhooksModule,
        StripeWebhooksModule,
        AdminModule,
        LiveModule,
        ApiKeysModule,
        WebhooksModule,
        McpModule,
      ],
      controllers: [ConfigController, HealthController, DocsController],
      providers: [provideClass(HealthService, [Readiness, QueuePauses]), ApiMetrics],
    };
  }
}
