import { Module } from '@nestjs/common';
import { PreviewsModule } from '#libs/previews/previews.module.js';
import { JobRoutesModule } from '../jobs/jobs.module.js';
import { ResumeLines } from './resume-lines.js';
import { ToolPreviews } from './tool-previews.js';
import { ToolRequests } from './tool-requests.js';
import { ToolsController } from './tools.controller.js';
import { ToolsService } from './tools.service.js';
import { Uploads } from './uploads.js';

/** `POST /api/ai/{tool}` for every tool of the catalogue, free previews, and tailored bullets put into a resume. */
@Module({
  imports: [JobRoutesModule, PreviewsModule],
  controllers: [ToolsController],
  providers: [ToolsService, ToolPreviews, ResumeLines, ToolRequests, Uploads],
  exports: [ToolRequests, ToolsService, Uploads],
})
export class ToolsModule {}
