import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { CreationsController } from './creations.controller.js';
import { Creations } from './creations.service.js';
import { PublishedController } from './published.controller.js';

/** What users made: their own lists, and what they show to everybody. */
@Module({
  imports: [FilesModule],
  controllers: [CreationsController, PublishedController],
  providers: [Creations],
})
export class CreationsModule {}
