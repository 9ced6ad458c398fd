import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { ToolsController } from './tools.controller.js';

/** The nine `POST /api/ai/*` rows. */
@Module({ imports: [JobsModule], controllers: [ToolsController] })
export class ToolsModule {}
