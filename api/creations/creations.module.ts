import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { CreationsController } from './creations.controller.js';
import { Creations } from './creations.service.js';
import { PublishedImages } from './published-images.service.js';
import { PublishedController } from './published.controller.js';
import { Searches } from './searches.js';

@Module({
  imports: [FilesModule],
  controllers: [CreationsController, PublishedController],
  providers: [Creations, PublishedImages, Searches],
})
export class CreationsModule {}
