import { Module } from '@nestjs/common';
import { JobRequestsModule } from '#libs/jobs/job-requests.module.js';
import { LiveService } from './live.service.js';

@Module({ imports: [JobRequestsModule], providers: [LiveService] })
export class LiveModule {}
