import { Controller, Param, ParseUUIDPipe, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { type AuthenticatedRequest, Route } from '../http/route.js';
import { EventStreams } from './event-streams.js';

const jobId = new ParseUUIDPipe({
  exceptionFactory: () => new AppError('NOT_FOUND', 'There is no such job.'),
});

@Controller()
export class EventStreamsController {
  constructor(private readonly streams: EventStreams) {}

  @Route('streamEvents')
  all(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    return this.streams.sendAll(request, response);
  }

  @Route('streamJobEvents')
  job(
    @Param('id', jobId) id: string,
    @Req() request: AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.sendJob(id, request, response);
  }
}
