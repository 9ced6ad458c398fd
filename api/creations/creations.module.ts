import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CreationTags } from './creation-tags.service.js';
import { CreationVersionsController } from './creation-versions.controller.js';
import { CreationVersions } from './creation-versions.service.js';
import { CreationZips } from './creation-zips.service.js';
import { CreationsController } from './creations.controller.js';
import { Creations } from './creations.service.js';
import { ImageVersions } from './image-versions.service.js';
import { OriginalVersions } from './original-versions.service.js';
import { PublishedImages } from './published-images.service.js';
import { PublishedController } from './published.controller.js';
import { SavedSearchesController } from './saved-searches.controller.js';
import { SavedSearches } from './saved-searches.service.js';
import { Searches } from './searches.js';
import { SharedTextsController } from './shared-texts.controller.js';
import { SharedTexts } from './shared-texts.service.js';
import { TextEdits } from './text-edits.service.js';

@Module({
  imports: [FilesModule, ToolsModule],
  controllers: [
    CreationsController,
    CreationVersionsController,
    PublishedController,
    SavedSearchesController,
    SharedTextsController,
  ],
  providers: [
    Creations,
    CreationTags,
    CreationVersions,
    CreationZips,
    ImageVersions,
    OriginalVersions,
    PublishedImages,
    SavedSearches,
    Searches,
    SharedTexts,
    TextEdits,
  ],
})
export class CreationsModule {}
