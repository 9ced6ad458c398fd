import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { AtsResult } from '#libs/tools/calculate-ats-score/contract.js';
import type { Call, User } from '../platform/running-product.ts';
import { form } from '../support/in-process-product.ts';
import { discOnBlue } from '../support/image-files.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { startProductWithServices, type ProductWithServices } from './product-with-services.ts';

allowTimeForPrograms();

const CHAT = '/api/ai/chat-with-pdf';
const HISTORY = '/api/ai/pdf-chat-history';
const BACKGROUND = '/api/ai/remove-image-background';
const ATS = '/api/ai/calculate-ats-score';
const ASYNC = { Prefer: 'respond-async' };

/** A multipart request written by hand, with any Content-Disposition. */
function rawUpload(
  field: string,
  disposition: string,
  bytes: Uint8Array,
  fields: Record<string, string> = {},
): Call {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join('')}--x\r\nContent-Disposition: form-data; name="${field}"; ${disposition}\r\nContent-Type: text/html\r\n\r\n`;
  const body = new Blob([head, new Uint8Array(bytes), '\r\n--x--\r\n']);
  return {
    method: 'POST',
    body: body as unknown as string,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  };
}
const upload = (field: string, bytes: Uint8Array, name: string, fields = {}): Call => ({
  body: form({ [field]: { bytes, name }, ...fields }),
});

describe('Hostile input', () => {
  let opened: ProductWithServices;
  let ada: User;
  let photo: Buffer;
  let report: Buffer;
  let resume: Buffer;
  beforeAll(async () => {
    [photo, report, resume] = await Promise.all([
      discOnBlue(120, 90).png().toBuffer(),
      makePdf(['The lighthouse of Vellmar was built in 1874 from grey granite.']),
      makePdf(resumePages),
    ]);
    // Models take much CPU time; tools.test.ts uses them.
    opened = await startProductWithServices('offline', undefined, { MODELS_OFF: 'minilm,u2netp' });
    ada = await opened.product.user({ plan: 'premium' });
  });
  afterAll(() => opened?.close());

  const raw = (path: string, options: RequestInit = {}) =>
    opened.product.get(`http://localhost:4599${path}`, options);

  it.each([
    ['emoji', 'filename="🦊👩‍👩‍👧 plan.pdf"', '🦊👩‍👩‍👧 plan.pdf'],
    ['right-to-left writing', 'filename="דוח שנתי.pdf"', 'דוח שנתי.pdf'],
    ['a mark that turns writing round', 'filename="report\u202Efdp.exe"', 'reportfdp.exe'],
    ['a path', 'filename="../../etc/passwd"', 'passwd'],
    ['a path of Windows', 'filename="C:\\\\Users\\\\ada\\\\cv.pdf"', 'cv.pdf'],
    ['quotation marks', `filename="a \\"quoted\\" 'name'.pdf"`, `a "quoted" 'name'.pdf`],
    ['tags', 'filename="<img src=x onerror=alert(1)>.pdf"', '<img src=x onerror=alert(1)>.pdf'],
    ['300 characters', `filename="${'n'.repeat(296)}.pdf"`, `${'n'.repeat(150)}.pdf`],
    ['a line end, encoded', "filename*=UTF-8''one%0D%0ASet-Cookie%3A%20x.pdf", 'oneSet-Cookie: x.pdf'],
    ['nothing but dots', 'filename=".."', 'file'],
  ])('accepts a file whose name has %s, and finds the chat by that name', async (_, disposition, name) => {
    const eve = await opened.product.user({ plan: 'premium' });
    const answer = await eve.call(
      CHAT,
      rawUpload('pdf', disposition, report, { message: 'When was it built?' }),
    );
    expect(answer).toMatchObject({ status: 200, body: { fileName: name } });
    expect(answer.headers.get('set-cookie')).toBeNull();
    const history = await eve.call(`${HISTORY}?file_name=${encodeURIComponent(name)}`);
    expect(history).toMatchObject({ status: 200, body: { chatHistory: [{}, {}] } });
    expect((await eve.call(HISTORY)).body.files).toEqual([name]);
    const job = await eve.job(answer.body.jobId);
    expect(Array.from(job.title).length).toBeLessThanOrEqual(80);
    const again = await eve.call(CHAT, { json: { file_name: name, message: 'Of what stone?' } });
    expect(again).toMatchObject({ status: 200, body: { fileName: name } });
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    [
      'a PNG followed by HTML',
      () => Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]),
      'made',
    ],
    [
      'a JPEG with HTML in its metadata',
      () =>
        sharp(photo)
          .jpeg()
          .withExif({ IFD0: { ImageDescription: '<script>alert(1)</script>' } })
          .toBuffer(),
      'made',
    ],
    [
      'an image of one pixel',
      () =>
        sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      'ENGINE_CANNOT',
    ],
    [
      'an image of one row',
      () =>
        sharp({ create: { width: 3000, height: 1, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      'ENGINE_CANNOT',
    ],
    ['an image of 16 bits a colour', () => sharp(photo).toColourspace('rgb16').png().toBuffer(), 'made'],
    ['a CMYK JPEG', () => sharp(photo).toColourspace('cmyk').jpeg().toBuffer(), 'made'],
    [
      'a transparent image',
      () =>
        sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
          .png()
          .toBuffer(),
      'made',
    ],
    [
      'an animated WebP',
      () =>
        sharp([photo, photo], { join: { animated: true } })
          .webp()
          .toBuffer(),
      'made',
    ],
  ])('handles %s sent as an image', async (_, bytes, expected) => {
    const answer = await ada.call(BACKGROUND, upload('image', await bytes(), 'photo.png'));
    expect(answer.body.code ?? 'made').toBe(expected);
    if (expected !== 'made') return;
    const result = await raw(new URL(answer.body.content).pathname);
    const content = Buffer.from(await result.arrayBuffer());
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', hasAlpha: true });
    expect(content.includes('<script>')).toBe(false);
  });

  it('rotates a photo upright and removes the metadata of the camera', async () => {
    const turned = await sharp(photo)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Secret Person' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await ada.call(BACKGROUND, upload('image', turned, 'turned.jpg'));
    const content = Buffer.from(await (await raw(new URL(body.content).pathname)).arrayBuffer());
    const found = await sharp(content).metadata();
    expect(found).toMatchObject({ width: 90, height: 120 });
    expect([found.exif, found.orientation]).toEqual([undefined, undefined]);
  });

  it('reads 300 pages, and a line of 10,000 characters', async () => {
    const pages = Array.from(
      { length: 300 },
      (_, index) => `Chapter ${index + 1} tells of the year ${1500 + index} and its harvest of barley.`,
    );
    pages[211] = 'The comet was seen over Vellmar in the night of the great fire.';
    const long = await ada.call(
      CHAT,
      upload('pdf', await makePdf(pages), 'long.pdf', { message: 'When was the comet seen?' }),
    );
    expect(long.body).toMatchObject({ success: true, citations: [{ page: 212 }] });
    const line = `${'barley and rye '.repeat(660)} the comet was green`;
    const wide = await ada.call(
      CHAT,
      upload('pdf', await makePdf([{ text: line }], { fontSize: 5 }), 'wide.pdf', {
        message: 'Was the comet green?',
      }),
    );
    expect(wide.body).toMatchObject({ success: true });
    expect(wide.body.content).toMatch(/comet was green/);
    expect(wide.body.content.length).toBeLessThan(2_000);
  });

  it('does not score a resume highly that is a copy of the job description', async () => {
    const jobDescription = resumePages.join('\n');
    const answer = await ada.call(ATS, upload('resume', resume, 'cv.pdf', { jobDescription }));
    const content = answer.body.content as unknown as AtsResult;
    expect(answer.status).toBe(200);
    expect(content.feedback).toMatch(/copied from the job description/);
    expect(content.score).toBeLessThan(50);
  });

  it('refuses jobs, creations, documents and files of other users', async () => {
    const eve = await opened.product.user({ plan: 'premium' });
    const made = (await ada.call(BACKGROUND, upload('image', photo, 'a.png'))).body;
    const chat = (await ada.call(CHAT, upload('pdf', report, 'mine.pdf', { message: 'When?' }))).body;
    const creation = `/api/user/creations/${String(made.creationId)}`;
    const calls: [string, Call][] = [
      [`/api/jobs/${made.jobId}`, {}],
      [`/api/jobs/${made.jobId}`, { method: 'DELETE' }],
      [`/api/jobs/${made.jobId}/retry`, { method: 'POST' }],
      [creation, { method: 'DELETE' }],
      [`${creation}/publish`, { json: { publish: true } }],
      [`${creation}/restore`, { method: 'POST' }],
      ['/api/user/toggle-like-creation', { json: { id: made.creationId } }],
      [`${HISTORY}?file_name=mine.pdf`, {}],
      [CHAT, { json: { file_name: 'mine.pdf', message: 'When?' } }],
      [CHAT, { json: { document_id: chat.documentId, message: 'When?' } }],
    ];
    for (const [path, call] of calls) {
      const answer = await eve.call(path, call);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const uploads = await opened.product.sql<{ key: string }>(
      `SELECT key FROM objects WHERE kind = 'upload'`,
    );
    for (const { key } of uploads) expect((await raw(`/files/${key}`)).status).toBe(404);
    expect((await raw(`/c/${String(made.creationId)}`)).status).toBe(404);
    expect((await raw(`/c/${String(made.creationId)}/image`)).status).toBe(404);
  });

  it.each<[string, Call, number, string?]>([
    [`${HISTORY}?file_name=%00`, {}, 400],
    [`${HISTORY}?file_name=%00`, { method: 'DELETE' }, 400],
    [`${HISTORY}?file_name=`, { method: 'DELETE' }, 400],
    [`${HISTORY}?file_name=a&file_name=b`, {}, 400],
    ['/api/user/creations/%00/publish', { json: {} }, 404],
    ['/api/user/get-user-creations?cursor=%00', {}, 400],
    ['/api/user/get-user-creations?type=%00', {}, 400, 'Give one type'],
    ['/api/user/get-user-creations?type=image&type=text', {}, 400, 'Give one type'],
    ['/api/user/get-user-creations?search=a&search=b', {}, 400, 'Search for text'],
    ['/api/user/get-user-creations?sort=best', {}, 400, 'Sort by newest or oldest'],
    ['/api/jobs?cursor=a&cursor=b', {}, 400, 'Use the nextCursor'],
    ['/api/jobs?tool=a&tool=b', {}, 400, 'Give the name of one tool'],
    [CHAT, { json: { file_name: ['a.pdf'], message: 'Why?' } }, 400, 'file_name must be'],
    [CHAT, { json: { document_id: 'a.pdf', message: 'Why?' } }, 400, 'document_id must be'],
    ['/api/user/toggle-like-creation', { json: { id: '\0' } }, 404],
    ['/api/jobs/%00', {}, 404],
    ['/files/..%2f..%2fetc%2fpasswd', {}, 404],
    ['/api/ai/constructor', { json: {} }, 404],
    [
      CHAT,
      { json: { file_name: 'a.pdf', message: 'Why?', chatHistory: '[{"role":"user"}]' } },
      400,
      'chatHistory must',
    ],
    [CHAT, { json: { file_name: 'a.pdf', message: 'Why?', chatHistory: '[1]' } }, 400, 'chatHistory must'],
    [CHAT, { json: { file_name: '\0', message: 'Why?' } }, 400],
    ['/api/auth/sign-in/email', { json: { email: 'a\0@example.com', password: 'x\0' } }, 400],
    [
      '/api/auth/reset-password',
      { json: { token: '\0', newPassword: 'long enough words' } },
      400,
      'invalid characters',
    ],
    [
      '/api/auth/sign-up/email',
      { json: { email: 'a@example.com', password: 'long enough words', name: '\0' } },
      400,
    ],
  ])('refuses %s with %j as invalid or unknown, never with a 5xx', async (path, call, status, words = '') => {
    const answer = await ada.call(path, call);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toContain(words);
  });

  it.each(['h2c', 'websocket', 'TLS/1.2'])('ignores an offer to upgrade to %s', async (protocol) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { Connection: 'Upgrade', Upgrade: protocol };
    request(`${opened.product.apis[0]!.address}/api/config`, { headers })
      .once('response', resolve)
      .once('error', reject)
      .end();
    const answer = await promise;
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });

  it('serves a result in ranges and to HEAD, and no unpublished one', async () => {
    const { body } = await ada.call('/api/ai/generate-image', {
      json: { prompt: 'A bridge', style: 'Fantasy style', publish: true, size: '1024x1024' },
    });
    const path = new URL(body.content).pathname;
    const page = `/c/${String(body.creationId)}`;
    const head = await raw(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('cache-control')).toMatch(/private.*immutable/);
    expect(head.headers.get('content-disposition')).toBe('inline; filename="pressroom.jpg"');
    const part = await raw(path, { headers: { Range: 'bytes=-10' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
    expect((await raw(path, { headers: { Range: 'bytes=99999999-' } })).status).toBe(416);
    for (const method of ['GET', 'HEAD']) {
      expect((await raw(page, { method })).status).toBe(200);
      expect((await raw(`${page}/image`, { method })).headers.get('cache-control')).toMatch(
        /public, max-age=\d{1,3}\b/,
      );
    }
    const publish = (publish: boolean) =>
      ada.call(`/api/user/creations/${String(body.creationId)}/publish`, { json: { publish } });
    expect((await publish(false)).status).toBe(200);
    for (const unpublished of [page, `${page}/image`, `${page}/thumbnail`]) {
      const { status, headers } = await raw(unpublished);
      expect([status, headers.get('cache-control')]).toEqual([404, expect.stringMatching(/^no-store\b/)]);
    }
    expect((await raw(path)).status).toBe(200);
    expect((await publish(true)).status).toBe(200);
    expect(
      (await ada.call('/api/user/toggle-like-creation', { json: { id: body.creationId } })).body,
    ).toMatchObject({ liked: true });
    await ada.call(`/api/user/creations/${String(body.creationId)}`, { method: 'DELETE' });
    for (const deleted of [path, page, `${page}/image`]) expect((await raw(deleted)).status).toBe(404);
    expect(await ada.call('/api/user/toggle-like-creation', { json: { id: body.creationId } })).toMatchObject(
      { status: 404 },
    );
  });

  it('deletes a user while jobs run, and leaves nothing', async () => {
    const eve = await opened.product.user({ plan: 'premium' });
    const large = await discOnBlue(1600, 1200).jpeg().toBuffer();
    const waiting = [
      eve.call(BACKGROUND, upload('image', large, 'a.jpg')),
      eve.call('/api/ai/generate-image', { json: { prompt: 'A bridge', publish: true } }),
      eve.call(CHAT, upload('pdf', report, 'mine.pdf', { message: 'When?' })),
    ];
    for (let i = 0; i < 3; i += 1)
      await eve.call(BACKGROUND, { ...upload('image', large, 'a.jpg'), headers: ASYNC });
    expect(
      await eve.call('/api/user/account', { method: 'DELETE', json: { password: 'correct horse battery' } }),
    ).toMatchObject({ status: 200 });
    for (const answer of await Promise.all(waiting)) expect([200, 401, 404]).toContain(answer.status);
    // A stopped worker has ended its jobs: a result that reached the store was deleted.
    await opened.product.stopWorkers('SIGTERM');
    opened.product.startWorker();
    const removed = `SELECT key FROM objects WHERE removed_at IS NOT NULL`;
    await until('the store to be cleared', async () => (await opened.product.sql(removed)).length === 0);
    for (const [table, column] of [
      ['objects', 'user_id'],
      ['jobs', 'user_id'],
      ['creations', 'user_id'],
      ['pdf_documents', 'user_id'],
      ['notebooks', 'user_id'],
      ['users', 'id'],
    ]) {
      expect([table, await opened.product.sql(`SELECT FROM ${table} WHERE ${column} = '${eve.id}'`)]).toEqual(
        [table, []],
      );
    }
    expect(await opened.product.sql(removed)).toEqual([]);
    expect((await ada.write('Still here')).status).toBe(200);
  });
});
