import { Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { modelCatalogue } from './catalogue.js';
import { LocalModels, type LocalModelsOptions } from './local-models.js';
import { readOwnEmbedding } from './own-embedding.js';

@Module({
  providers: [
    {
      provide: LocalModels,
      inject: [CONFIG, PinoLogger],
      useFactory: async ({ models }: Config, logger: PinoLogger) =>
        openModels({
          ...models,
          ownEmbedding: await readOwnEmbedding(models.directory),
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

/** @throws ConfigurationError if the operator's embedding model does not work */
async function openModels(options: LocalModelsOptions): Promise<LocalModels> {
  const models = new LocalModels(options);
  try {
    await models.checkOwnEmbedding();
    return models;
  } catch (error) {
    await models.close();
    throw error;
  }
}
