import { Module } from '@nestjs/common';
import { provideClass } from '#libs/config/provide-class.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { PublishingModule } from '#libs/publishing/publishing.module.js';
import { CreationEvents } from './creation-events.js';
import { CreationTags } from './creation-tags.service.js';
import { CreationVersions } from './creation-versions.service.js';
import { CreationZips } from './creation-zips.service.js';
import { Creations } from './creations.service.js';
import { ImageVersions } from './image-versions.service.js';
import { OriginalVersions } from './original-versions.service.js';
import { PictureReports } from './picture-reports.service.js';
import { Publications } from './publications.service.js';
import { PublishedImages } from './published-images.service.js';
import { SavedSearches } from './saved-searches.service.js';
import { Searches } from './searches.js';
import { SharedTexts } from './shared-texts.service.js';
import { TextEdits } from './text-edits.service.js';

const services = [
  Creations,
  CreationTags,
  CreationVersions,
  CreationZips,
  ImageVersions,
  OriginalVersions,
  PictureReports,
  Publications,
  PublishedImages,
  SavedSearches,
  Searches,
  SharedTexts,
  TextEdits,
];

/** Lets an API process read and change creations. */
@Module({
  imports: [PublishingModule],
  providers: [provideClass(CreationEvents, [SocketServer]), ...services],
  exports: services,
})
export class CreationsModule {}
