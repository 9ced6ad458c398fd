import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { JobRoutesModule } from '../jobs/jobs.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { BatchItems } from './batch-items.service.js';
import { BatchesController } from './batches.controller.js';

/** HTTP routes of batches. */
@Module({
  imports: [FilesModule, JobRoutesModule, ToolsModule],
  controllers: [BatchesController],
  providers: [BatchItems],
})
export class BatchRoutesModule {}
