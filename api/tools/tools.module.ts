import { Module } from '@nestjs/common';
import { JobRoutesModule } from '../jobs/jobs.module.js';
import { ToolRequests } from './tool-requests.js';
import { ToolsController } from './tools.controller.js';
import { ToolsService } from './tools.service.js';
import { Uploads } from './uploads.js';

/** `POST /api/ai/{tool}` for every tool of the catalogue. */
@Module({
  imports: [JobRoutesModule],
  controllers: [ToolsController],
  providers: [ToolsService, ToolRequests, Uploads],
  exports: [ToolRequests],
})
export class ToolsModule {}
