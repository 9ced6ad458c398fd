import { Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { modelCatalogue } from './catalogue.js';
import { LocalModels } from './local-models.js';

@Module({
  providers: [
    {
      provide: LocalModels,
      inject: [CONFIG, PinoLogger],
      useFactory: ({ models }: Config, logger: PinoLogger) =>
        new LocalModels({
          ...models,
          log: (id, error) => {
            const { title } = modelCatalogue[id];
            if (error) logger.warn({ model: id }, error.message);
            else logger.info({ model: id }, `${title} is in ${models.directory}.`);
          },
        }),
    },
  ],
  exports: [LocalModels],
})
export class ModelsModule {}
