import { Module } from '@nestjs/common';
import { JobRoutesModule } from '../jobs/jobs.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { BatchItems } from './batch-items.service.js';
import { BatchesController } from './batches.controller.js';
import { ZipFiles } from './zip-files.service.js';

/** Batches of pictures over HTTP. */
@Module({
  imports: [JobRoutesModule, ToolsModule],
  controllers: [BatchesController],
  providers: [BatchItems, ZipFiles],
})
export class BatchesModule {}
