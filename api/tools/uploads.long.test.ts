import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { SWEEP_EVERY } from '#libs/storage/stored-files.js';
import { form, json } from '../../test/support/in-process-product.ts';
import { closeGate, gate } from '../../test/support/probe-tools.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { MB, pdf, useUploads } from '../../test/support/uploads.ts';

allowTimeForPrograms();

const uploads = useUploads();
/** Value of `UPLOADS_PER_USER`: maximum concurrent uploads of a user. */
const UPLOADS_AT_ONCE = 4;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif', width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();

describe('a tool with files', () => {
  it('hands the worker the file with its name, type and hash', async () => {
    const bytes = pdf();
    const answer = await uploads.ada.call('/api/ai/probe-pdf', {
      body: form({ note: 'hello', resume: { bytes, name: 'Lebenslauf "Übersicht".pdf', type: 'text/html' } }),
    });
    const body = await json(answer);
    expect(body).toMatchObject({ success: true, message: 'Done' });
    expect(JSON.parse(body.content)).toEqual({
      name: 'Lebenslauf "Übersicht".pdf',
      type: 'application/pdf',
      sha256: sha256(bytes),
      bytes: bytes.length,
    });
    expect((await json(await uploads.ada.call(`/api/jobs/${body.jobId}`))).job.title).toBe(
      'Lebenslauf "Übersicht".pdf',
    );
    expect(uploads.product.spooled()).toEqual([]);
  });

  it('accepts a file of exactly the limit, synchronously or not', async () => {
    const held = await uploads.sendPdf(pdf(5 * MB));
    expect(JSON.parse((await json(held)).content)).toMatchObject({ bytes: 5 * MB });
    const accepted = await uploads.sendPdf(pdf(5 * MB), { headers: { Prefer: 'respond-async' } });
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('location')).toMatch(/^\/api\/jobs\//);
  });

  it('accepts a PDF whose header is within the first kilobyte', async () => {
    expect((await uploads.sendPdf(Buffer.concat([Buffer.alloc(1_000, ' '), pdf()]))).status).toBe(200);
    expect((await uploads.sendPdf(Buffer.concat([Buffer.alloc(1_100, ' '), pdf()]))).status).toBe(415);
  });

  it('accepts images of all formats, and a PNG mask', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const) {
      const image = { bytes: await picture(format), name: 'photo' };
      expect((await uploads.ada.call('/api/ai/probe-image', { body: form({ image }) })).status).toBe(200);
    }
    const image = { bytes: await picture('jpeg'), name: 'photo.jpg' };
    const mask = { bytes: await picture('png'), name: 'mask.png' };
    expect(
      (await uploads.ada.call('/api/ai/probe-image', { body: form({ image, mask, object: 'cup' }) })).status,
    ).toBe(200);
  });

  it('accepts JSON if no file is required', async () => {
    expect((await uploads.ada.call('/api/ai/probe-image', { json: { object: 'a fox' } })).status).toBe(200);
  });

  it('treats an empty file field of a browser as missing', async () => {
    const body = form({ image: { bytes: new Uint8Array(), name: '' } });
    expect((await uploads.ada.call('/api/ai/probe-image', { body })).status).toBe(200);
  });
});

describe('a refused request', () => {
  let before: { objects: number; jobs: number; stored: number };

  beforeEach(async () => {
    before = {
      objects: await uploads.objects(),
      jobs: await uploads.jobs(),
      stored: uploads.product.stored().length,
    };
  });
  afterEach(async () => {
    expect({
      objects: await uploads.objects(),
      jobs: await uploads.jobs(),
      stored: uploads.product.stored().length,
    }).toEqual(before);
    expect(uploads.product.spooled()).toEqual([]);
  });

  const refusal = async (answer: Response) => {
    const { success, code, message, details } = await json(answer);
    expect(success).toBe(false);
    return {
      status: answer.status,
      code,
      message,
      fields: Array.isArray(details) ? details.map(({ field }) => field) : undefined,
    };
  };

  it('has a file that is too large', async () => {
    expect(await refusal(await uploads.sendPdf(pdf(5 * MB + 1)))).toMatchObject({
      status: 413,
      code: 'FILE_TOO_LARGE',
      message: 'This file is too large. PDFs may have up to 5 MB.',
    });
    const png = Buffer.concat([await picture('png'), Buffer.alloc(10 * MB)]);
    const answer = await uploads.ada.call('/api/ai/probe-image', {
      body: form({ image: { bytes: png, name: 'big.png' } }),
    });
    expect(await refusal(answer)).toMatchObject({ status: 413, message: expect.stringContaining('10 MB') });
  });

  it('has a file of another type, regardless of its name and declared type', async () => {
    const video = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom');
    const film = { bytes: video, name: 'photo.png', type: 'image/png' };
    expect(
      await refusal(await uploads.ada.call('/api/ai/probe-image', { body: form({ image: film }) })),
    ).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_FILE',
      message: 'Only PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF and BMP images are accepted here.',
    });
    const texts = [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      '<!doctype html><script>alert(1)</script>',
      pdf(),
    ];
    for (const text of texts) {
      const other = { bytes: Buffer.from(text), name: 'a.png', type: 'image/png' };
      expect(
        await refusal(await uploads.ada.call('/api/ai/probe-image', { body: form({ image: other }) })),
      ).toMatchObject({ status: 415, code: 'UNSUPPORTED_FILE' });
    }
    expect(await refusal(await uploads.sendPdf(await picture('png')))).toMatchObject({
      status: 415,
      message: 'Only PDF files are accepted here.',
    });
    const image = { bytes: await picture('png'), name: 'photo.png' };
    const mask = { bytes: await picture('jpeg'), name: 'mask.png' };
    expect(
      await refusal(await uploads.ada.call('/api/ai/probe-image', { body: form({ image, mask }) })),
    ).toMatchObject({
      status: 415,
      message: 'Only a PNG image is accepted as mask.',
    });
  });

  it('has a file without content', async () => {
    expect(await refusal(await uploads.sendPdf(Buffer.alloc(0)))).toMatchObject({
      status: 415,
      message: 'This file is empty. Only PDF files are accepted here.',
    });
  });

  it('has an image that cannot be read, or one with too many pixels behind few bytes', async () => {
    const png = await picture('png');
    const htmlAsJpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<html>')]);
    for (const bytes of [png.subarray(0, 8), png.subarray(0, 20), png.subarray(0, 45), htmlAsJpeg]) {
      const broken = await uploads.ada.call('/api/ai/probe-image', {
        body: form({ image: { bytes, name: 'a.png' } }),
      });
      expect(await refusal(broken)).toMatchObject({ status: 422, code: 'UNREADABLE_IMAGE' });
    }
    const bomb = await picture('png', 9_000, 6_000);
    expect(bomb.length).toBeLessThan(MB);
    const answer = await uploads.ada.call('/api/ai/probe-image', {
      body: form({ image: { bytes: bomb, name: 'bomb.png' } }),
    });
    expect(await refusal(answer)).toMatchObject({
      status: 422,
      code: 'UNREADABLE_IMAGE',
      message: expect.stringMatching(/9000 × 6000 pixels.*50 megapixels/),
    });
  });

  it('lacks its file, in either form, and is answered with the tool’s own message', async () => {
    const wanted = { status: 400, code: 'VALIDATION_FAILED', message: 'Choose a PDF.', fields: ['resume'] };
    expect(await refusal(await uploads.ada.call('/api/ai/probe-pdf', { json: { note: 'x' } }))).toEqual(
      wanted,
    );
    expect(await refusal(await uploads.ada.call('/api/ai/probe-pdf', { body: form({ note: 'x' }) }))).toEqual(
      wanted,
    );
    const both = await refusal(await uploads.ada.call('/api/ai/probe-pdf', { json: {} }));
    expect(both).toMatchObject({ message: 'Choose a PDF.', fields: ['resume', 'note'] });
  });

  it('breaks a rule between its fields and files', async () => {
    const mask = { bytes: await picture('png'), name: 'mask.png' };
    expect(
      await refusal(await uploads.ada.call('/api/ai/probe-image', { body: form({ mask }) })),
    ).toMatchObject({
      status: 400,
      message: 'A mask needs its image.',
      fields: ['mask'],
    });
  });

  it('has wrong parts', async () => {
    const resume = { bytes: pdf(), name: 'cv.pdf' };
    const cases: [FormData, string][] = [
      [
        form({ note: 'x', resume, other: resume }),
        'There is no file field "other" here. The file fields are: "resume".',
      ],
      [form({ note: 'x', resume: 'my resume as text' }), 'Send "resume" as a file, not as text.'],
      [form({ note: 'x'.repeat(200 * 1024 + 1), resume }), 'The field "note" may have up to 200 kB of text.'],
      [
        form({ ...Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, 'x'])), resume }),
        'Send at most 20 fields.',
      ],
      [form({ note: 'zero \u0000 byte', resume }), 'The field "note" contains invalid characters.'],
    ];
    const twice = form({ note: 'x', resume });
    twice.append('resume', new Blob([new Uint8Array(pdf())]), 'again.pdf');
    cases.push([twice, 'The field "resume" was sent twice. Send it once.']);
    for (const [body, message] of cases) {
      expect(await refusal(await uploads.ada.call('/api/ai/probe-pdf', { body }))).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        message,
      });
    }
  });

  it('is no whole multipart body', async () => {
    const send = (body: string, type: string) =>
      uploads.ada.call('/api/ai/probe-pdf', { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(await refusal(await send('--x', 'multipart/form-data'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('names no boundary'),
    });
    const part =
      '--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n%PDF-1.7 and so on';
    for (const body of [part, `${part}\r\n`, '', 'nonsense', '--x\r\nnonsense\r\n\r\n--x--']) {
      expect(await refusal(await send(body, 'multipart/form-data; boundary=x'))).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
      });
    }
    expect(await refusal(await send('hello', 'text/plain'))).toMatchObject({ status: 400 });
    for (const disposition of ['form-data', 'form-data; filename="a.pdf"']) {
      const nameless = `--x\r\nContent-Disposition: ${disposition}\r\n\r\n%PDF-1.7\r\n--x--\r\n`;
      expect(await refusal(await send(nameless, 'multipart/form-data; boundary=x'))).toMatchObject({
        status: 400,
        message: 'A part of the multipart body names no field.',
      });
    }
  });

  it('has no credits left for it', async () => {
    await uploads.ada.call('/api/user/account');
    await uploads.product.sql(
      `INSERT INTO credit_balances (user_id, month, granted, balance) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 30, 0)`,
      [uploads.ada.id],
    );
    expect(await refusal(await uploads.sendPdf(pdf()))).toMatchObject({
      status: 402,
      code: 'INSUFFICIENT_CREDITS',
    });
  });

  it('is for a premium tool on the free plan: its body is not read', async () => {
    const refused = { status: 403, code: 'PREMIUM_REQUIRED' };
    const body = form({ note: 'x', resume: { bytes: pdf(), name: 'cv.pdf' } });
    expect(await refusal(await uploads.ada.call('/api/ai/probe-premium', { body }))).toMatchObject(refused);
    const notJson = { method: 'POST', body: '{ not json', headers: { 'Content-Type': 'application/json' } };
    expect(await refusal(await uploads.ada.call('/api/ai/probe-premium', notJson))).toMatchObject(refused);
  });

  it('has no token', async () => {
    const answer = await fetch(`${uploads.product.origin}/api/ai/probe-pdf`, {
      method: 'POST',
      body: form({ resume: { bytes: pdf(), name: 'a.pdf' } }),
    });
    expect(await refusal(answer)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });
});

describe('the same Idempotency-Key', () => {
  it('makes one job with one upload of simultaneous requests', async () => {
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

  it('is needed: without it, a repeated request starts a second job', async () => {
    const answers = await Promise.all([uploads.sendPdf(pdf()), uploads.sendPdf(pdf())]);
    const ids = await Promise.all(answers.map(async (answer) => (await json(answer)).jobId));
    expect(new Set(ids).size).toBe(2);
    expect((await json(await uploads.ada.call('/api/user/account'))).credits.used).toBe(2);
  });

  it('is refused with another file', async () => {
    const headers = { 'Idempotency-Key': 'twice' };
    expect((await uploads.sendPdf(pdf(2_000), { headers })).status).toBe(200);
    const stored = uploads.product.stored().length;
    const other = await uploads.sendPdf(pdf(2_001), { headers });
    expect(other.status).toBe(422);
    expect((await json(other)).code).toBe('IDEMPOTENCY_MISMATCH');
    expect(uploads.product.stored().length).toBe(stored);
  });
});

describe('retention of files', () => {
  const age = (interval: string) =>
    uploads.product.sql(`UPDATE objects SET created_at = now() - $1::interval`, [interval]);

  it('keeps the upload that a failed job and its retry share until one succeeds and the other is old', async () => {
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

  it('deletes the upload of a cancelled job after nearly an hour', async () => {
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

  it('deletes the upload of a succeeded job, and an upload without a job', async () => {
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

  it('deletes a result without a creation after a day', async () => {
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

describe('an upload whose client disconnects', () => {
  it('leaves nothing behind', async () => {
    const [stored, rows] = [uploads.product.stored().length, await uploads.objects()];
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const head = requestHead(uploads.ada.token, 4 * MB);
    socket.write(`${head}--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n`);
    socket.write(pdf(1 * MB));
    await until('the file is being spooled', () => uploads.product.spooled().length > 0);
    socket.destroy();
    await until('the file to be deleted', () => uploads.product.spooled().length === 0);
    expect([uploads.product.stored().length, await uploads.objects()]).toEqual([stored, rows]);
  });
});

describe('a client that is still sending', () => {
  it('reads the answer to a too large Content-Length before it sends the body', async () => {
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    socket.write(requestHead(uploads.ada.token, 50 * MB));
    const answer = await answerOn(socket);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('FILE_TOO_LARGE');
    socket.destroy();
  });

  // Node destroys a closing connection after the response. If unread data remains, the client would lose the response.
  it('reads the answer when the connection is to be closed after it', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const socket = connect(uploads.product.config.port, '127.0.0.1');
      const failures: Error[] = [];
      socket.on('error', (error) => failures.push(error));
      const answer = answerOn(socket);
      const closed = once(socket, 'close');
      socket.write(requestHead(uploads.ada.token, 50 * MB, 'close'));
      for (let sent = 0; sent < 20; sent += 1) {
        if (!socket.write(Buffer.alloc(MB, 'x'))) await Promise.race([once(socket, 'drain'), closed]);
      }
      expect(await answer).toMatch(/^HTTP\/1.1 413 /);
      expect(failures).toEqual([]);
      socket.end();
      await closed;
    }
  });

  it('reads the answer while it slowly sends 50 MB', async () => {
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    const failures: Error[] = [];
    socket.on('error', (error) => failures.push(error));
    let sent = 0;
    let answeredAfter: number | undefined;
    const answered = answerOn(socket).then((answer) => {
      answeredAfter = sent;
      return answer;
    });
    socket.write(requestHead(uploads.ada.token, undefined));
    socket.write(
      chunk(
        Buffer.from(
          '--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
        ),
      ),
    );
    const piece = chunk(Buffer.alloc(MB, 'x'));
    while (sent < 50) {
      // Waits for the server, to measure how much it reads.
      if (!socket.write(piece)) await once(socket, 'drain');
      sent += 1;
      await setImmediate();
    }
    const answer = await answered;
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answeredAfter).toBeLessThan(15);
    expect(failures).toEqual([]);
    socket.destroy();
    await until('nothing is left in the spool', () => uploads.product.spooled().length === 0);
  });

  it('is cut off after a bounded amount', async () => {
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.resume();
    let sent = 0;
    socket.write(requestHead(uploads.ada.token, 1_000 * MB));
    const piece = Buffer.alloc(MB, 'x');
    while (!socket.destroyed && sent < 300) {
      if (!socket.write(piece))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      sent += 1;
      await setImmediate();
    }
    await closed;
    expect(sent).toBeLessThan(300);
  });

  it('reads the answer with fetch and with curl', async () => {
    const big = pdf(20 * MB);
    const answer = await uploads.sendPdf(big);
    expect(answer.status).toBe(413);
    expect((await json(answer)).code).toBe('FILE_TOO_LARGE');

    const folder = mkdtempSync(join(tmpdir(), 'pressroom-curl-'));
    const path = join(folder, 'big.pdf');
    writeFileSync(path, big);
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '-H', `Authorization: Bearer ${uploads.ada.token}`, '-F', 'note=x', '-F', `resume=@${path}`],
      ...['-H', 'Transfer-Encoding: chunked', `${uploads.product.origin}/api/ai/probe-pdf`],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, code: 'FILE_TOO_LARGE' });
    rmSync(folder, { recursive: true });
  });
});

/** Head of a request to `probe-pdf`. The body is chunked if `length` is undefined. */
function requestHead(token: string, length: number | undefined, connection = 'keep-alive'): string {
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return [
    'POST /api/ai/probe-pdf HTTP/1.1',
    'Host: localhost:4601',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=x',
    size,
    `Connection: ${connection}`,
    '\r\n',
  ].join('\r\n');
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Resolves to the first response on the connection, once its body has started. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
      if (/\r\n\r\n[^]+\}/.test(answer)) resolve(answer);
    });
    socket.once('close', () => reject(new Error(`The connection ended: ${answer}`)));
  });
}
