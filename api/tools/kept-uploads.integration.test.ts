import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SWEEP_EVERY } from '#libs/storage/stored-files.js';
import { json } from '../../test/support/file-product.ts';
import { closeGate, gate } from '../../test/support/file-tools.ts';
import { pdf, useUploads } from '../../test/support/uploads.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const uploads = useUploads();
/** As many as a user may send (`UPLOADS_PER_USER`). */
const UPLOADS_AT_ONCE = 4;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the same Idempotency-Key', () => {
  it('names one job with one upload, however often and simultaneously it is sent', async () => {
    const stored = uploads.product.stored().length;
    const headers = { 'Idempotency-Key': 'once', Prefer: 'respond-async' };
    const answers = await Promise.all(
      Array.from({ length: UPLOADS_AT_ONCE }, () => uploads.sendPdf(pdf(), { headers })),
    );
    const ids = new Set<string>();
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      ids.add((await json(answer)).job.id);
    }
    expect(ids.size).toBe(1);
    expect(uploads.product.stored().length).toBe(stored + 1);
    const [{ remaining }] = [(await json(await uploads.ada.call('/api/user/account'))).credits];
    expect(remaining).toBe(29);
  });

  it('is needed: without it, a request that comes twice starts two jobs', async () => {
    const answers = await Promise.all([uploads.sendPdf(pdf()), uploads.sendPdf(pdf())]);
    const ids = await Promise.all(answers.map(async (answer) => (await json(answer)).jobId));
    expect(new Set(ids).size).toBe(2);
    expect((await json(await uploads.ada.call('/api/user/account'))).credits.used).toBe(2);
  });

  it('does not name another job for another file', async () => {
    const headers = { 'Idempotency-Key': 'twice' };
    expect((await uploads.sendPdf(pdf(2_000), { headers })).status).toBe(200);
    const stored = uploads.product.stored().length;
    const other = await uploads.sendPdf(pdf(2_001), { headers });
    expect(other.status).toBe(422);
    expect((await json(other)).code).toBe('IDEMPOTENCY_MISMATCH');
    expect(uploads.product.stored().length).toBe(stored);
  });
});

describe('what is kept', () => {
  const age = (interval: string) =>
    uploads.product.sql(`UPDATE objects SET created_at = now() - $1::interval`, [interval]);

  it('is the upload of a failed job, which a retry shares, until one succeeded and the other is old', async () => {
    closeGate();
    const { job } = await json(await uploads.sendPdf(pdf(), { headers: { Prefer: 'respond-async' } }));
    await uploads.ada.call(`/api/jobs/${job.id}`, { method: 'DELETE' });
    gate.open();
    const [{ key } = { key: '' }] = await uploads.product.sql(
      `SELECT files->>'resume' AS key FROM jobs WHERE id = $1`,
      [job.id],
    );
    await age('2 hours');
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).toContain(key);

    const retried = await json(await uploads.ada.call(`/api/jobs/${job.id}/retry`, { method: 'POST' }));
    expect(JSON.parse(retried.content)).toMatchObject({ name: 'cv.pdf', sha256: sha256(pdf()) });
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).toContain(key);

    await uploads.product.sql(`UPDATE jobs SET input = NULL WHERE id = $1`, [job.id]);
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).not.toContain(key);
    const gone = await uploads.ada.call(`/api/jobs/${job.id}/retry`, { method: 'POST' });
    expect((await json(gone)).code).toBe('JOB_NOT_RETRYABLE');
  });

  it('is no upload of a job that was cancelled within the last hour', async () => {
    closeGate();
    const { job } = await json(await uploads.sendPdf(pdf(), { headers: { Prefer: 'respond-async' } }));
    await uploads.ada.call(`/api/jobs/${job.id}`, { method: 'DELETE' });
    gate.open();
    const [{ key } = { key: '' }] = await uploads.product.sql(
      `SELECT files->>'resume' AS key FROM jobs WHERE id = $1`,
      [job.id],
    );
    const oldest = SWEEP_EVERY / 60_000;
    await age('2 hours');
    await uploads.product.sql(
      `UPDATE jobs SET finished_at = now() - make_interval(mins => $2) WHERE id = $1`,
      [job.id, 60 - oldest],
    );
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).not.toContain(key);
    const gone = await uploads.ada.call(`/api/jobs/${job.id}/retry`, { method: 'POST' });
    expect((await json(gone)).code).toBe('JOB_NOT_RETRYABLE');
  });

  it('is no upload of a job that succeeded, and no upload without a job', async () => {
    await uploads.sendPdf(pdf());
    const content = {
      userId: uploads.ada.id,
      kind: 'upload',
      type: 'application/pdf',
      name: 'a.pdf',
      content: pdf(),
    } as const;
    const orphan = await uploads.product.files.add(content);
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).toContain(orphan);
    await age('46 minutes');
    await uploads.product.files.sweep();
    expect(await uploads.product.sql(`SELECT key FROM objects WHERE kind = 'upload'`)).toEqual([]);
    expect(uploads.product.stored()).not.toContain(orphan);
  });

  it('is no result that belongs to no creation after a day', async () => {
    const lost = await uploads.product.files.add({
      userId: uploads.ada.id,
      kind: 'image',
      type: 'image/png',
      name: '',
      content: pdf(),
    });
    const made = await json(await uploads.ada.call('/api/ai/probe-image', { json: {} }));
    await age('23 hours');
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).toContain(lost);
    await age('25 hours');
    await uploads.product.files.sweep();
    expect(uploads.product.stored()).not.toContain(lost);
    expect((await fetch(made.content)).status).toBe(200);
  });
});
