import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { ToolRequests } from './tool-requests.js';
import { ToolsController } from './tools.controller.js';
import { Uploads } from './uploads.js';

/** The nine `POST /api/ai/*` rows. */
@Module({
  imports: [JobsModule],
  controllers: [ToolsController],
  providers: [ToolRequests, Uploads],
  exports: [ToolRequests],
})
export class ToolsModule {}
