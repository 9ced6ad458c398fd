import { Module } from '@nestjs/common';
import { JobRoutesModule } from '../jobs/jobs.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { FlowsController } from './flows.controller.js';
import { FlowStarts } from './flows.service.js';

/** HTTP routes of flows. */
@Module({
  imports: [JobRoutesModule, ToolsModule],
  controllers: [FlowsController],
  providers: [FlowStarts],
})
export class FlowRoutesModule {}
