import { Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { createEngineLog, collectBreakers } from '#libs/ai/engine-log.js';
import { createModeration } from '#libs/ai/moderation.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { ProviderCalls } from '#libs/costs/provider-calls.js';
import { onScrape } from '#libs/observability/metrics.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { PublicationCheck } from './publication-check.js';

@Module({
  providers: [
    {
      provide: PublicationCheck,
      inject: [CONFIG, StoredFiles, ProviderCalls, ProviderBudgets, PinoLogger],
      async useFactory(
        { ai, publishing }: Config,
        files: StoredFiles,
        calls: ProviderCalls,
        budgets: ProviderBudgets,
        logger: PinoLogger,
      ) {
        const moderation = await createModeration(ai, createEngineLog(logger));
        if (moderation) onScrape(() => collectBreakers(moderation));
        return new PublicationCheck({
          mode: publishing,
          ...{ moderation, calls, budgets, files },
          onError: (error) =>
            logger.warn({ err: error }, 'A picture was not checked and waits for an operator'),
        });
      },
    },
  ],
  exports: [PublicationCheck],
})
export class PublishingModule {}
