import { beforeAll, describe, expect, it } from '@jest/globals';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { Job } from '#libs/contract/jobs.js';
import {
  json,
  useInProcessProduct,
  type Answer,
  type SignedInUser,
} from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const product = useInProcessProduct({ SOCKETS_PER_USER: '4' });
let ada: SignedInUser;
let bob: SignedInUser;
beforeAll(async () => {
  [ada, bob] = [await product.signUp('Ada', 'premium'), await product.signUp('Bob')];
});

async function open(user: SignedInUser, path: string, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const response = await user.call(path, { headers, signal: controller.signal });
  const events: EventSourceMessage[] = [];
  const ended = response.body
    ? response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
        .pipeTo(new WritableStream({ write: (event) => void events.push(event) }))
        .catch(() => undefined)
    : Promise.resolve();
  return { response, events, ended, close: () => controller.abort() };
}

const jobsIn = (events: EventSourceMessage[]) =>
  events.filter(({ event }) => event === 'job').map(({ data }) => JSON.parse(data) as Job);
const startTitles = async (user: SignedInUser): Promise<Answer> =>
  json(
    await user.call('/api/ai/generate-blog-title', {
      json: { prompt: 'printing', category: 'Technology' },
      headers: { Prefer: 'respond-async' },
    }),
  );

describe('the events of a job', () => {
  it('begin with its state and end with its end', async () => {
    const { job } = await startTitles(ada);
    const stream = await open(ada, `/api/jobs/${job.id}/events`);
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await stream.ended;
    const jobs = jobsIn(stream.events);
    expect(jobs.every(({ id }) => id === job.id)).toBe(true);
    expect(jobs.at(-1)).toMatchObject({ status: 'succeeded', result: { content: expect.any(String) } });
    expect(stream.events.at(-1)!.id).toBe(String(jobs.at(-1)!.revision));
  });

  it('are of its owner only', async () => {
    const { job } = await startTitles(ada);
    const { response } = await open(bob, `/api/jobs/${job.id}/events`);
    expect(response.status).toBe(404);
    expect((await open(ada, '/api/jobs/none/events')).response.status).toBe(404);
  });

  it('are not sent again to who has the last', async () => {
    const { job } = await startTitles(ada);
    const first = await open(ada, `/api/jobs/${job.id}/events`);
    await first.ended;
    const again = await open(ada, `/api/jobs/${job.id}/events`, {
      'Last-Event-ID': first.events.at(-1)!.id!,
    });
    expect(again.response.status).toBe(204);
    const older = await open(ada, `/api/jobs/${job.id}/events`, { 'Last-Event-ID': '0' });
    await older.ended;
    expect(jobsIn(older.events).map(({ status }) => status)).toContain('succeeded');
  });
});

describe('the events of a user', () => {
  it('are those of the user’s jobs, and of nobody else’s', async () => {
    const [own, other] = [await open(ada, '/api/events'), await open(bob, '/api/events')];
    const { job } = await startTitles(ada);
    await until('the end of the job', () =>
      jobsIn(own.events).some(({ id, status }) => id === job.id && status === 'succeeded'),
    );
    expect(jobsIn(other.events)).toEqual([]);
    own.close();
    other.close();
  });

  it('are resumed with what ended meanwhile', async () => {
    const first = await open(ada, '/api/events');
    const { job: seen } = await startTitles(ada);
    await until('an event', () => first.events.some(({ event }) => event === 'job'));
    const lastId = first.events.findLast(({ id }) => id)!.id!;
    first.close();
    const missed = await json(
      await ada.call('/api/ai/generate-blog-title', { json: { prompt: 'paper', category: 'Food' } }),
    );
    const second = await open(ada, '/api/events', { 'Last-Event-ID': lastId });
    await until('the missed job', () =>
      jobsIn(second.events).some(({ id, status }) => id === missed.jobId && status === 'succeeded'),
    );
    expect(jobsIn(second.events).some(({ id }) => id === seen.id)).toBe(true);
    second.close();
  });

  it('begin with the state of a batch', async () => {
    const items = [{ id: 'a', name: 'a.png', size: 10 }];
    const { batch } = (await (
      await ada.call('/api/batches', { json: { tool: 'remove-image-background', input: {}, items } })
    ).json()) as { batch: { id: string } };
    const stream = await open(ada, '/api/events');
    await until('the batch', () =>
      stream.events.some(
        ({ event, data }) => event === 'batch' && (JSON.parse(data) as { id: string }).id === batch.id,
      ),
    );
    stream.close();
  });

  it('are read by at most SOCKETS_PER_USER clients', async () => {
    const streams = [];
    for (let n = 0; n < 5; n += 1) streams.push(await open(bob, '/api/events'));
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 429]);
    for (const { close } of streams) close();
    await until('a free place', async () => {
      const next = await open(bob, '/api/events');
      next.close();
      return next.response.status === 200;
    });
  });
});
