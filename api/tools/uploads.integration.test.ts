import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { form, json } from '../../test/support/file-product.ts';
import { MB, pdf, useUploads } from '../../test/support/uploads.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const uploads = useUploads();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif', width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();

describe('a tool with files', () => {
  it('hands the worker the file with its name, type and hash', async () => {
    const bytes = pdf();
    const answer = await uploads.ada.call('/api/ai/probe-pdf', {
      body: form({ note: 'hello', resume: { bytes, name: 'Lebenslauf Übersicht.pdf', type: 'text/html' } }),
    });
    const body = await json(answer);
    expect(body).toMatchObject({ success: true, message: 'Done' });
    expect(JSON.parse(body.content)).toEqual({
      name: 'Lebenslauf Übersicht.pdf',
      type: 'application/pdf',
      sha256: sha256(bytes),
      bytes: bytes.length,
    });
    expect((await json(await uploads.ada.call(`/api/jobs/${body.jobId}`))).job.title).toBe(
      'Lebenslauf Übersicht.pdf',
    );
    expect(uploads.product.spooled()).toEqual([]);
  });

  it('takes a file of exactly the limit, answered at once or held', async () => {
    const held = await uploads.sendPdf(pdf(5 * MB));
    expect(JSON.parse((await json(held)).content)).toMatchObject({ bytes: 5 * MB });
    const accepted = await uploads.sendPdf(pdf(5 * MB), { headers: { Prefer: 'respond-async' } });
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('location')).toMatch(/^\/api\/jobs\//);
  });

  it('takes a PDF whose header stands within the first kilobyte', async () => {
    expect((await uploads.sendPdf(Buffer.concat([Buffer.alloc(1_000, ' '), pdf()]))).status).toBe(200);
    expect((await uploads.sendPdf(Buffer.concat([Buffer.alloc(1_100, ' '), pdf()]))).status).toBe(415);
  });

  it('takes PNG, JPEG and WebP, and a PNG mask', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const image = { bytes: await picture(format), name: 'photo' };
      expect((await uploads.ada.call('/api/ai/probe-image', { body: form({ image }) })).status).toBe(200);
    }
    const image = { bytes: await picture('jpeg'), name: 'photo.jpg' };
    const mask = { bytes: await picture('png'), name: 'mask.png' };
    expect(
      (await uploads.ada.call('/api/ai/probe-image', { body: form({ image, mask, object: 'cup' }) })).status,
    ).toBe(200);
  });

  it('takes JSON where no file is required', async () => {
    expect((await uploads.ada.call('/api/ai/probe-image', { json: { object: 'a fox' } })).status).toBe(200);
  });

  it('takes a file field left empty in a browser as none', async () => {
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

  it('has a file of another type, whatever its name and declared type say', async () => {
    const gif = { bytes: await picture('gif'), name: 'photo.png', type: 'image/png' };
    expect(
      await refusal(await uploads.ada.call('/api/ai/probe-image', { body: form({ image: gif }) })),
    ).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_FILE',
      message: 'Only PNG, JPEG and WebP images are accepted here.',
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

  it('lacks its file, in either form, and is told in the tool’s own words', async () => {
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
      [form({ note: 'zero \u0000 byte', resume }), 'The field "note" holds characters that are no text.'],
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

  it('is for a premium tool on the free plan: nothing of it is read, whatever it is', async () => {
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
