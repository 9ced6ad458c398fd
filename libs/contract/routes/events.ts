import { z } from 'zod';
import { defineRoute } from './define-route.js';

const tag = 'Events';
const headers = z.object({
  'Last-Event-ID': z.string().optional().meta({ description: 'The `id` of the last event that arrived.' }),
});
const eventStream = (description: string) => ({
  description,
  content: { 'text/event-stream': z.string() },
});

export const eventRoutes = {
  streamEvents: defineRoute('GET', '/api/events', {
    tag,
    summary: 'Server-sent events of everything of the caller',
    description:
      'Events have the names and payloads of those on the socket: `job`, `job:delta`, `job:preview`, `job:position`, `batch`, ' +
      '`flow`, `creation`, `account`. The stream begins with the current state of unfinished jobs, and after a break, told by ' +
      '`Last-Event-ID`, with jobs that ended since: the newest 200 of each, with results of up to 1 MB. Events can arrive twice ' +
      'and out of order: ignore a `job`, `batch` or `flow` whose `revision` is lower than the one that you have. A comment comes ' +
      'every 15 s. The server ends a stream when events may have been missed, and when the token expires: connect again.',
    headers,
    answers: { 200: eventStream('The events') },
  }),
  streamJobEvents: defineRoute('GET', '/api/jobs/:id/events', {
    tag,
    summary: 'Server-sent events of one job, until it ends',
    description:
      'Begins with the job as it is, and ends after the `job` event of its end. The id of a `job` event is the job’s `revision`.',
    params: z.object({ id: z.uuid().meta({ description: 'The job’s id.' }) }),
    headers,
    answers: {
      200: eventStream('The events'),
      204: { description: 'The job has ended, and `Last-Event-ID` is its last event', content: {} },
    },
    errors: ['NOT_FOUND'],
  }),
};
