import { Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { onScrape } from '#libs/observability/metrics.js';
import { createEngine } from './create-engine.js';
import { collectBreakers, createEngineLog } from './engine-log.js';

export const ENGINE = Symbol('ENGINE');

@Module({
  providers: [
    {
      provide: ENGINE,
      inject: [CONFIG, PinoLogger],
      useFactory: async ({ ai }: Config, logger: PinoLogger) => {
        const engine = await createEngine(ai, createEngineLog(logger));
        onScrape(() => collectBreakers(engine));
        return engine;
      },
    },
  ],
  exports: [ENGINE],
})
export class AiModule {}
