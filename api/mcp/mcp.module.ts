import { Module } from '@nestjs/common';
import { JobRequestsModule } from '#libs/jobs/job-requests.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { McpTools } from './mcp-tools.js';

@Module({ imports: [JobRequestsModule, ToolsModule], providers: [McpTools] })
export class McpModule {}
