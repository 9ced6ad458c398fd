import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import type { Answer, Call, User } from '../platform/world.ts';
import { form, startFileProduct } from '../support/file-product.ts';
import { closeGate, gate } from '../support/file-tools.ts';
import { pngChunk } from '../support/hostile-images.ts';
import { brokenPdf } from '../support/pdf-damage.ts';
import { makePdf } from '../support/pdf.ts';
import type { TestServer } from '../support/process.ts';
import { resumePages } from '../support/resumes.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { startEndpointWorld, type EndpointWorld } from './endpoint-world.ts';

allowTimeForPrograms();

interface Refusal {
  code: ErrorCode;
  when: string;
  plan?: 'premium';
  /** Prepares the user; its costs do not count. Returns the id of a job, where there is one. */
  before?: (user: User) => Promise<string | void>;
  provoke: (user: User, jobId: string) => Promise<Answer>;
  /** The answer has `Retry-After`. */
  retryAfter?: true;
}

/**
 * Not tested here: an internal error, which no request provokes, the full queue (test/platform/worker-roles.test.ts), the
 * full disk (test/platform/full-disk.test.ts), an operator without a second factor
 * (api/auth/second-factors.integration.test.ts), the full storage of a user (api/tools/storage-quota.integration.test.ts), an
 * outdated version (api/creations/creations.integration.test.ts) and the slow request (api/http/body-rate.test.ts).
 */
const NOT_HERE: ErrorCode[] = [
  'TWO_FACTOR_REQUIRED',
  'INTERNAL',
  'QUEUE_FULL',
  'DISK_FULL',
  'STORAGE_FULL',
  'VERSION_CONFLICT',
  'PRECONDITION_REQUIRED',
  'REQUEST_TOO_SLOW',
];

const MEGABYTE = 1024 * 1024;
const ARTICLE = '/api/ai/generate-article';
const REVIEW = '/api/ai/resume-review';
const BACKGROUND = '/api/ai/remove-image-background';
const OBJECT = '/api/ai/remove-image-object';

const upload = (field: string, bytes: Uint8Array, name: string, fields = {}): Call => ({
  body: form({ [field]: { bytes, name }, ...fields }),
});
const padded = (head: string | Buffer, bytes: number) =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)]);
const png = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

/** A PNG of few bytes whose header says that it has very many pixels. */
function hugePng(): Buffer {
  const side = 9_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Grey, one bit for each pixel.
  header.set([1, 0, 0, 0, 0], 8);
  const small = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    // Each row begins with the number of its filter.
    pngChunk('IDAT', deflateSync(Buffer.alloc(side * (1 + side / 8)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
  expect(small.length).toBeLessThan(MEGABYTE);
  return small;
}

describe('Every error of the contract’s table', () => {
  let opened: EndpointWorld;
  beforeAll(async () => {
    opened = await startEndpointWorld('openai', { queue: 'PostgreSQL', store: 'S3' });
  });
  afterAll(() => opened?.close());

  let limited: Promise<TestServer> | undefined;
  /** One api for all limits that do not hide each other. */
  const limitedApi = () =>
    (limited ??= opened.world.startApi({
      RATE_LIMIT_SUBMISSIONS: '1',
      RATE_LIMIT_SIGN_IN: '1',
      RATE_LIMIT_SIGN_UP: '1',
    }));

  const refusals: Refusal[] = [
    {
      code: 'VALIDATION_FAILED',
      when: 'a field is missing',
      provoke: (user) => user.call(ARTICLE, { json: { length: 800 } }),
    },
    {
      code: 'VALIDATION_FAILED',
      when: 'an object has two words',
      plan: 'premium',
      provoke: async (user) => {
        const answer = await user.call(OBJECT, upload('image', await png(), 'a.png', { object: 'red car' }));
        expect(answer.body.message).toBe('Please enter only one object name');
        return answer;
      },
    },
    {
      code: 'VALIDATION_FAILED',
      when: 'a text has more than 1000 words',
      provoke: async (user) => {
        const answer = await user.call('/api/ai/humanize-text', { json: { text: 'word '.repeat(1_001) } });
        expect(answer.body.message).toBe('Text exceeds 1000 word limit');
        return answer;
      },
    },
    {
      code: 'UNAUTHENTICATED',
      when: 'there is no token',
      provoke: (user) => user.call(ARTICLE, { json: { prompt: 'Rivers' }, token: '' }),
    },
    {
      code: 'UNAUTHENTICATED',
      when: 'the token has expired',
      provoke: async (user) =>
        user.call(ARTICLE, {
          json: { prompt: 'Rivers' },
          token: await opened.world.tokenFor(user.id, { seconds: -60 }),
        }),
    },
    {
      code: 'INSUFFICIENT_CREDITS',
      when: 'the month’s credits are used up',
      before: async (user) => {
        await user.write('The first');
        await opened.world.sql(`UPDATE credit_balances SET balance = 0 WHERE user_id = '${user.id}'`);
      },
      provoke: async (user) => user.call(REVIEW, upload('resume', await makePdf(resumePages), 'cv.pdf')),
    },
    {
      code: 'PREMIUM_REQUIRED',
      when: 'a premium tool is asked for on the free plan',
      provoke: async (user) => user.call(BACKGROUND, upload('image', await png(), 'a.png')),
    },
    {
      code: 'FORBIDDEN',
      when: 'a user sets the own plan where an operator does',
      provoke: (user) => user.call('/api/user/plan', { json: { plan: 'premium' } }),
    },
    {
      code: 'NOT_FOUND',
      when: 'a job is somebody else’s',
      before: async () => (await (await opened.world.user()).start('Private')).id,
      provoke: (user, jobId) => user.call(`/api/jobs/${jobId}`),
    },
    {
      code: 'JOB_CANCELLED',
      when: 'a job that is waited for is cancelled',
      provoke: async (user) => {
        const waiting = user.write('Cancelled [[stop]]');
        const job = await until('the job to run', async () => {
          const { jobs } = (await user.call('/api/jobs?status=running')).body;
          return jobs[0];
        });
        await user.call(`/api/jobs/${job.id}`, { method: 'DELETE' });
        return waiting;
      },
    },
    {
      code: 'JOB_NOT_CANCELLABLE',
      when: 'a job has ended',
      before: async (user) => (await user.write('Done')).body.jobId,
      provoke: (user, jobId) => user.call(`/api/jobs/${jobId}`, { method: 'DELETE' }),
    },
    {
      code: 'JOB_NOT_RETRYABLE',
      when: 'a job has succeeded',
      before: async (user) => (await user.write('Done')).body.jobId,
      provoke: (user, jobId) => user.call(`/api/jobs/${jobId}/retry`, { method: 'POST' }),
    },
    {
      code: 'RESULT_DELETED',
      when: 'a request comes again whose creation was deleted',
      before: async (user) => {
        const { body } = await user.write('Gone', { headers: { 'Idempotency-Key': 'gone' } });
        await user.call(`/api/user/creations/${String(body.creationId)}`, { method: 'DELETE' });
      },
      provoke: (user) => user.write('Gone', { headers: { 'Idempotency-Key': 'gone' } }),
    },
    {
      code: 'FILE_TOO_LARGE',
      when: 'a PDF has more than 5 MB',
      provoke: (user) => user.call(REVIEW, upload('resume', padded('%PDF-1.7\n', 5 * MEGABYTE), 'cv.pdf')),
    },
    {
      code: 'FILE_TOO_LARGE',
      when: 'an image has more than 10 MB',
      plan: 'premium',
      provoke: async (user) =>
        user.call(BACKGROUND, upload('image', padded(await png(), 10 * MEGABYTE), 'a.png')),
    },
    {
      code: 'UNSUPPORTED_FILE',
      when: 'a PNG is named .pdf',
      provoke: async (user) => user.call(REVIEW, upload('resume', await png(), 'cv.pdf')),
    },
    {
      code: 'UNSUPPORTED_FILE',
      when: 'a PDF is named .png',
      plan: 'premium',
      provoke: async (user) => user.call(BACKGROUND, upload('image', await makePdf(['Words']), 'a.png')),
    },
    ...(
      [
        ['is encrypted', () => makePdf(resumePages, { password: 'secret' })],
        ['is corrupt', async () => brokenPdf()],
        ['has no text', () => makePdf([{ scan: true }])],
      ] as const
    ).map(([what, make]): Refusal => ({
      code: 'UNREADABLE_PDF',
      when: `a PDF ${what}`,
      provoke: async (user) => user.call(REVIEW, upload('resume', await make(), 'cv.pdf')),
    })),
    {
      code: 'UNREADABLE_IMAGE',
      when: 'an image is cut off',
      plan: 'premium',
      provoke: async (user) =>
        user.call(BACKGROUND, upload('image', (await png(900, 900)).subarray(0, 60), 'a.png')),
    },
    {
      code: 'UNREADABLE_IMAGE',
      when: 'an image of few bytes has very many pixels',
      plan: 'premium',
      provoke: async (user) => user.call(BACKGROUND, upload('image', hugePng(), 'a.png')),
    },
    {
      code: 'IDEMPOTENCY_MISMATCH',
      when: 'a key comes again with another request',
      before: async (user) => void (await user.write('One', { headers: { 'Idempotency-Key': 'k' } })),
      provoke: (user) => user.write('Other', { headers: { 'Idempotency-Key': 'k' } }),
    },
    ...(
      [
        [
          'requests',
          () => opened.world.startApi({ RATE_LIMIT_REQUESTS: '1' }),
          (user: User, call: object) => user.call('/api/user/account', call),
        ],
        ['submissions', limitedApi, (user: User, call: object) => user.call(ARTICLE, { json: {}, ...call })],
      ] as const
    ).map(([what, open, ask]): Refusal => ({
      code: 'RATE_LIMITED',
      when: `too many ${what} come within a minute`,
      retryAfter: true,
      provoke: async (user) => {
        const api = await open();
        const [, second] = [await ask(user, { api }), await ask(user, { api })];
        return second;
      },
    })),
    {
      code: 'RATE_LIMITED',
      when: 'a user has too many unfinished jobs',
      retryAfter: true,
      before: async (user) => {
        await opened.world.startApi({ UNFINISHED_JOBS: '1' });
        return (await user.start('Slow [[stop]]')).id;
      },
      provoke: (user) => user.write('One more', { api: opened.world.apis.at(-1) }),
    },
    {
      code: 'PROVIDER_FAILED',
      when: 'the AI provider fails for good',
      provoke: (user) => user.write('Refused [[400]]'),
    },
    {
      code: 'ENGINE_CANNOT',
      when: 'an object is named that this server cannot find',
      plan: 'premium',
      before: async () => {
        opened.world.provider.goOn();
        await opened.world.stopWorkers('SIGTERM');
        opened.world.startWorker({
          OPENAI_API_KEY: undefined,
          OPENAI_BASE_URL: undefined,
          ENGINE_REMOVE_IMAGE_BACKGROUND: undefined,
        });
      },
      provoke: async (user) => user.call(OBJECT, upload('image', await png(), 'a.png', { object: 'car' })),
    },
    {
      code: 'UNAVAILABLE',
      when: 'the file store is away',
      retryAfter: true,
      before: () => opened.stopStore(),
      provoke: async (user) => user.call(REVIEW, upload('resume', await makePdf(resumePages), 'cv.pdf')),
    },
  ];

  /** What a user has: credits, creations, and files that are not the kept input of a failed job. */
  async function holdings(user: User) {
    const { credits } = await user.account();
    const creations = await user.creations();
    const files = await opened.world.sql(
      `SELECT key FROM objects WHERE user_id = '${user.id}' AND key NOT IN
         (SELECT value FROM jobs, jsonb_each_text(files) WHERE status = 'failed')`,
    );
    return { credits, creations, files };
  }

  it.each(['sign-in', 'sign-up'])('RATE_LIMITED when one address asks for %s too often', async (what) => {
    const api = await limitedApi();
    const json = {
      email: 'nobody@example.com',
      password: 'wrong words here',
      name: what === 'sign-in' ? undefined : '',
    };
    await opened.world.call(`/api/auth/${what}/email`, { api, json });
    const answer = await opened.world.call(`/api/auth/${what}/email`, { api, json });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.body.message).toMatch(/\S/);
  });

  it.each(refusals)('$code when $when', async ({ code, plan, before, provoke, retryAfter }) => {
    const user = await opened.world.user({ plan });
    const prepared = await before?.(user);
    const held = await holdings(user);
    const answer = await provoke(user, prepared ?? '');
    expectFailure(answer, code);
    if (retryAfter) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await holdings(user)).toEqual(held);
  });

  // The tools' own time limits are minutes: here, in this process, is one of a second.
  it('JOB_TIMED_OUT when a job passes its own time limit', async () => {
    const product = await startFileProduct();
    try {
      const eve = await product.signUp('Eve');
      closeGate();
      const response = await eve.call('/api/ai/probe-hasty', { json: { note: 'slow' } });
      expectFailure(
        {
          status: response.status,
          headers: response.headers,
          body: (await response.json()) as Answer['body'],
        },
        'JOB_TIMED_OUT',
      );
      const account = (await (await eve.call('/api/user/account')).json()) as { credits: object };
      expect(account.credits).toMatchObject({ used: 0, remaining: 30 });
      expect(await product.sql('SELECT id FROM creations')).toEqual([]);
    } finally {
      gate.open();
      await product.stop();
    }
  });

  it('is in this list, whatever code there is', () => {
    const tried = new Set<string>([...refusals.map(({ code }) => code), 'JOB_TIMED_OUT', ...NOT_HERE]);
    expect(Object.keys(errorStatus).filter((code) => !tried.has(code))).toEqual([]);
  });
});

function expectFailure({ status, headers, body }: Answer, code: ErrorCode): void {
  expect(body.code).toBe(code);
  expect(status).toBe(errorStatus[code]);
  expect(body.success).toBe(false);
  expect(body.message).toMatch(/^\p{Lu}.{8,}/u);
  expect(body.requestId).toMatch(/\S{8,}/);
  expect(headers.get('x-request-id')).toBe(body.requestId);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
}
