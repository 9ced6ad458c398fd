import { Module } from '@nestjs/common';
import { CreationsModule } from '#libs/creations/creations.module.js';
import { FilesModule } from '../files/files.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CreationVersionsController } from './creation-versions.controller.js';
import { CreationsController } from './creations.controller.js';
import { PublishedController } from './published.controller.js';
import { SavedSearchesController } from './saved-searches.controller.js';
import { SharedTextsController } from './shared-texts.controller.js';

/** HTTP routes of creations, and public pages of shared creations. */
@Module({
  imports: [CreationsModule, FilesModule, ToolsModule],
  controllers: [
    CreationsController,
    CreationVersionsController,
    PublishedController,
    SavedSearchesController,
    SharedTextsController,
  ],
})
export class CreationRoutesModule {}
