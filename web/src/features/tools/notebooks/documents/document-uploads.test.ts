import { describe, expect, it } from '@jest/globals';
import type { Job } from '#libs/contract/jobs.js';
import { buildJob } from '../../../../../../test/web/build-job';
import { ApiFailure } from '../../../../shared/http/http';
import { DocumentUploads, type NewDocument } from './document-uploads';

/** Uploads whose requests the test answers one by one. */
function setUp() {
  const requests: {
    document: NewDocument;
    key: string;
    signal: AbortSignal;
    answer: (result: Job | Error) => void;
  }[] = [];
  const sent: Job[] = [];
  const waits: number[] = [];
  const uploads = new DocumentUploads({
    send: (document, key, signal) =>
      new Promise((resolve, reject) => {
        const answer = (result: Job | Error) => (result instanceof Error ? reject(result) : resolve(result));
        requests.push({ document, key, signal, answer });
      }),
    onSent: async (job) => void sent.push(job),
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  return { uploads, requests, sent, waits, settle };
}

const documents = ['a', 'b', 'c'].map((name) => ({ name, text: name }));

describe('DocumentUploads', () => {
  it('sends two at a time until all are sent', async () => {
    const { uploads, requests, sent, settle } = setUp();
    uploads.add(documents);
    expect(requests.map(({ document }) => document.name)).toEqual(['a', 'b']);
    requests[1]?.answer(buildJob({ id: 'job-b' }));
    await settle();
    expect(requests.map(({ document }) => document.name)).toEqual(['a', 'b', 'c']);
    expect(uploads.list().map(({ name }) => name)).toEqual(['a', 'c']);
    requests[0]?.answer(buildJob({ id: 'job-a' }));
    requests[2]?.answer(buildJob({ id: 'job-c' }));
    await settle();
    expect(uploads.list()).toEqual([]);
    expect(sent.map(({ id }) => id)).toEqual(['job-b', 'job-a', 'job-c']);
  });

  it('lists a rejected document with its reason until the user retries or removes it', async () => {
    const { uploads, requests, settle } = setUp();
    uploads.add(documents.slice(0, 1));
    requests[0]?.answer(new ApiFailure('INTERNAL', 'Something went wrong.', { status: 500 }));
    await settle();
    const [failed] = uploads.list();
    expect(failed).toMatchObject({ state: 'failed', message: 'Something went wrong.', canRetry: true });
    uploads.retry(failed!.id);
    expect(requests).toHaveLength(2);
    uploads.remove(failed!.id);
    expect(uploads.list()).toEqual([]);
  });

  it('offers no retry for a document that the server does not take', async () => {
    const { uploads, requests, settle } = setUp();
    uploads.add(documents.slice(0, 1));
    requests[0]?.answer(new ApiFailure('UNSUPPORTED_FILE', 'Not this kind of file.', { status: 415 }));
    await settle();
    expect(uploads.list()[0]).toMatchObject({ state: 'failed', canRetry: false });
  });

  it('cancels the request of a document that the user removes', async () => {
    const { uploads, requests, sent, waits, settle } = setUp();
    uploads.add(documents);
    uploads.remove(uploads.list()[0]!.id);
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    requests[0]?.answer(new ApiFailure('UNREACHABLE', 'Aborted.', { status: 0 }));
    await settle();
    expect(requests.map(({ document }) => document.name)).toEqual(['a', 'b', 'c']);
    expect([sent, waits]).toEqual([[], []]);
  });

  it('waits as long as the server says, then sends the same request again', async () => {
    const { uploads, requests, waits, settle } = setUp();
    uploads.add(documents.slice(0, 1));
    requests[0]?.answer(new ApiFailure('QUEUE_FULL', 'Full.', { status: 429, retryAfterSeconds: 7 }));
    await settle();
    expect(waits).toEqual([7_000]);
    expect(requests[1]?.key).toBe(requests[0]?.key);
    expect(uploads.list()[0]).toMatchObject({ state: 'sending', message: 'Full.' });
  });
});
