import { Module } from '@nestjs/common';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { Batches } from '#libs/batches/batches.js';
import { provideClass, value } from '#libs/config/provide-class.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { Flows } from '#libs/flows/flows.js';
import { JobCompletion } from '#libs/jobs/job-completion.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { JobRequestsModule } from '#libs/jobs/job-requests.module.js';
import { Drain } from '../http/drain.js';
import { EventStreamsController } from './event-streams.controller.js';
import { EventStreams } from './event-streams.js';
import { LiveService } from './live.service.js';

@Module({
  imports: [JobRequestsModule],
  controllers: [EventStreamsController],
  providers: [
    LiveService,
    provideClass(EventStreams, {
      jobs: JobReader,
      batches: Batches,
      flows: Flows,
      completion: JobCompletion,
      server: SocketServer,
      apiKeys: ApiKeys,
      drain: Drain,
      streamsPerUser: value(({ open }) => open.socketsPerUser),
    }),
  ],
})
export class LiveModule {}
