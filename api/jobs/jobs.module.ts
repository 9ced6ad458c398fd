import { Module } from '@nestjs/common';
import { JobRequestsModule } from '#libs/jobs/job-requests.module.js';
import { JobsController } from './jobs.controller.js';
import { Responder } from './responder.js';

/** A user's jobs over HTTP, and what other routes need to accept work and wait for it. */
@Module({
  imports: [JobRequestsModule],
  controllers: [JobsController],
  providers: [Responder],
  exports: [JobRequestsModule, Responder],
})
export class JobRoutesModule {}
