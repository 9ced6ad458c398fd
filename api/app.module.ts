import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '#libs/config/environment.js';
import { PlatformModule } from '#libs/platform/platform.module.js';
import { Readiness } from '#libs/platform/readiness.js';
import { AccountModule } from './account/account.module.js';
import { AdminModule } from './admin/admin.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CommunityModule } from './community/community.module.js';
import { ConfigController } from './config/config.controller.js';
import { CreationsModule } from './creations/creations.module.js';
import { DocsController } from './docs/docs.controller.js';
import { FilesModule } from './files/files.module.js';
import { HttpModule } from './http/http.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LiveModule } from './live/live.module.js';
import { ApiMetrics } from './operations/api-metrics.js';
import { HealthController } from './operations/health.controller.js';
import { HealthService } from './operations/health.service.js';
import { PdfChatsModule } from './pdf-chats/pdf-chats.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The api: accepts requests and sockets, checks plan and credits, and places jobs on their queues. */
@Module({})
export class AppModule {
  static for(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.for('api', config),
        HttpModule.forRoot(config),
        AuthModule.forRoot(config),
        JobsModule,
        ToolsModule,
        CreationsModule,
        CommunityModule,
        PdfChatsModule,
        FilesModule,
        AccountModule,
        WebhooksModule,
        AdminModule,
        LiveModule,
      ],
      controllers: [ConfigController, HealthController, DocsController],
      providers: [Readiness, HealthService, ApiMetrics],
    };
  }
}
