import { Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { modelCatalogue } from './catalogue.js';
import { LocalModels, type LocalModelsOptions } from './local-models.js';
import { readOwnEmbedding } from './own-embedding.js';
import { readOwnSegmentation } from './own-segmentation.js';

@Module({
  providers: [
    {
      provide: LocalModels,
      inject: [CONFIG, PinoLogger],
      useFactory: async ({ models }: Config, logger: PinoLogger) =>
        openModels({
          ...models,
          ownEmbedding: await readOwnEmbedding(models.directory),
          ownSegmentation: models.ownCutOutModel
            ? await readOwnSegmentation(models.directory, models.ownCutOutModel)
            : null,
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

/** @throws ConfigurationError if one of the operator's models does not work */
async function openModels(options: LocalModelsOptions): Promise<LocalModels> {
  const models = new LocalModels(options);
  try {
    await models.checkOwnModels();
    return models;
  } catch (error) {
    await models.close();
    throw error;
  }
}
