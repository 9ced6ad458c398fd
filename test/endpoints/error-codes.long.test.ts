import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import type { Answer, Call, User } from '../platform/running-product.ts';
import { form, startInProcessProduct } from '../support/in-process-product.ts';
import { closeGate, gate } from '../support/probe-tools.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { paragraph, run, wordFile } from '../support/word.ts';
import { startProductWithServices, type ProductWithServices } from './product-with-services.ts';

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

/** Codes that other files test, and `INTERNAL`, which no request causes. */
const testedElsewhere: Partial<Record<ErrorCode, string | null>> = {
  INTERNAL: null,
  QUEUE_FULL: 'test/platform/worker-roles.long.test.ts',
  DISK_FULL: 'test/platform/full-disk.long.test.ts',
  STORAGE_FULL: 'api/tools/storage-quota.integration.test.ts',
  SCOPE_REQUIRED: 'api/api-keys/api-keys.integration.test.ts',
  KEY_CAP_REACHED: 'api/api-keys/api-keys.integration.test.ts',
  BUDGET_EXHAUSTED: 'libs/costs/provider-budgets.integration.test.ts',
  ACCOUNT_SUSPENDED: 'api/account/operator-commands.long.test.ts',
  TWO_FACTOR_REQUIRED: 'api/auth/second-factors.integration.test.ts',
  VERSION_CONFLICT: 'api/creations/text-edits.integration.test.ts',
  PRECONDITION_REQUIRED: 'api/creations/text-edits.integration.test.ts',
  REQUEST_TOO_SLOW: 'api/http/body-rate.test.ts',
};

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
const png = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

describe('Error codes', () => {
  let opened: ProductWithServices;
  beforeAll(async () => {
    opened = await startProductWithServices('openai', { queue: 'PostgreSQL', store: 'S3' });
  });
  afterAll(() => opened?.close());

  const refusals: Refusal[] = [
    {
      code: 'VALIDATION_FAILED',
      when: 'a field is missing',
      provoke: (user) => user.call(ARTICLE, { json: { length: 800 } }),
    },
    {
      code: 'UNAUTHENTICATED',
      when: 'there is no token',
      provoke: (user) => user.call(ARTICLE, { json: { prompt: 'Rivers' }, token: '' }),
    },
    {
      code: 'INSUFFICIENT_CREDITS',
      when: 'the month’s credits are used up',
      before: async (user) => {
        await user.write('The first');
        await opened.product.sql(`UPDATE credit_balances SET balance = 0 WHERE user_id = '${user.id}'`);
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
      when: 'a job belongs to another user',
      before: async () => (await (await opened.product.user()).start('Private')).id,
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
      code: 'UNSUPPORTED_FILE',
      when: 'a PDF is named .png',
      plan: 'premium',
      provoke: async (user) => user.call(BACKGROUND, upload('image', await makePdf(['Words']), 'a.png')),
    },
    {
      code: 'UNREADABLE_PDF',
      when: 'a PDF is encrypted',
      provoke: async (user) =>
        user.call(REVIEW, upload('resume', await makePdf(resumePages, { password: 'secret' }), 'cv.pdf')),
    },
    {
      code: 'UNREADABLE_DOCUMENT',
      when: 'a Word document is cut off',
      provoke: async (user) =>
        user.call(
          REVIEW,
          upload('resume', (await wordFile(paragraph(run('Ada')))).subarray(0, 200), 'cv.docx'),
        ),
    },
    {
      code: 'UNREADABLE_IMAGE',
      when: 'an image is cut off',
      plan: 'premium',
      provoke: async (user) => user.call(BACKGROUND, upload('image', (await png()).subarray(0, 60), 'a.png')),
    },
    {
      code: 'IDEMPOTENCY_MISMATCH',
      when: 'a key comes again with another request',
      before: async (user) => void (await user.write('One', { headers: { 'Idempotency-Key': 'k' } })),
      provoke: (user) => user.write('Other', { headers: { 'Idempotency-Key': 'k' } }),
    },
    {
      code: 'RATE_LIMITED',
      when: 'a user has too many unfinished jobs',
      retryAfter: true,
      before: async (user) => {
        await opened.product.startApi({ UNFINISHED_JOBS: '1' });
        return (await user.start('Slow [[stop]]')).id;
      },
      provoke: (user) => user.write('One more', { api: opened.product.apis.at(-1) }),
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
      before: async (user) => {
        opened.product.provider.goOn();
        await opened.product.stopWorkers('SIGTERM');
        opened.product.startWorker({
          OPENAI_API_KEY: undefined,
          OPENAI_BASE_URL: undefined,
          ENGINE_REMOVE_IMAGE_BACKGROUND: undefined,
        });
        // A job that waits for the start of a worker may be answered before its end.
        const { id } = await user.start('The new worker takes jobs');
        await user.ended(id);
      },
      provoke: async (user) => user.call(OBJECT, upload('image', await png(), 'a.png', { object: 'car' })),
    },
    {
      code: 'UNAVAILABLE',
      when: 'the file store is unavailable',
      retryAfter: true,
      before: () => opened.stopStore(),
      provoke: async (user) => user.call(REVIEW, upload('resume', await makePdf(resumePages), 'cv.pdf')),
    },
  ];

  /** A user's credits, creations, and files other than the stored input of a failed job. */
  async function holdings(user: User) {
    const { credits } = await user.account();
    const creations = await user.creations();
    const files = await opened.product.sql(
      `SELECT key FROM objects WHERE user_id = '${user.id}' AND key NOT IN
         (SELECT value FROM jobs, jsonb_each_text(files) WHERE status = 'failed')`,
    );
    return { credits, creations, files };
  }

  it.each(refusals)('$code when $when', async ({ code, plan, before, provoke, retryAfter }) => {
    const user = await opened.product.user({ plan });
    const prepared = await before?.(user);
    const held = await holdings(user);
    const answer = await provoke(user, prepared ?? '');
    expectFailure(answer, code);
    if (retryAfter) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await holdings(user)).toEqual(held);
  });

  // The tools' own time limits are minutes: here, in this process, is one of a second.
  it('JOB_TIMED_OUT when a job passes its own time limit', async () => {
    const product = await startInProcessProduct();
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

  it('covers every code of the contract, here or in the named file', () => {
    const here = new Set<string>([...refusals.map(({ code }) => code), 'JOB_TIMED_OUT']);
    for (const code of Object.keys(errorStatus) as ErrorCode[]) {
      const file = testedElsewhere[code];
      if (typeof file === 'string') expect(readFileSync(file, 'utf8')).toContain(`'${code}'`);
      else expect(here.has(code) || file === null).toBe(true);
    }
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
