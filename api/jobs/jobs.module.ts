import { Module } from '@nestjs/common';
import { JobRequestsModule } from '#libs/jobs/job-requests.module.js';
import { JobsController } from './jobs.controller.js';
import { Responder } from './responder.js';

/** HTTP routes of jobs, and what other routes need to submit jobs and wait for them. */
@Module({
  imports: [JobRequestsModule],
  controllers: [JobsController],
  providers: [Responder],
  exports: [JobRequestsModule, Responder],
})
export class JobRoutesModule {}
