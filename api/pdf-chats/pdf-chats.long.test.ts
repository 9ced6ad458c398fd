import { createHash } from 'node:crypto';
import type { Job } from '#libs/contract/jobs.js';
import type { PdfChatHistory } from '#libs/contract/pdf-chats.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  form,
  startInProcessProduct,
  type SignedInUser,
  type InProcessProduct,
  useInProcessProduct,
} from '../../test/support/in-process-product.ts';
import { pdfFontBomb } from '../../test/support/pdf-damage.ts';
import { literal, rawPdf, streamOf } from '../../test/support/pdf-objects.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { until } from '../../test/support/until.ts';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const PAGES = [
  'The lighthouse of Vellmar was built in 1874 from grey granite.',
  'Its lamp has a range of nineteen nautical miles. The keeper lived there until 1981.',
];
const HISTORY = '/api/ai/pdf-chat-history';

let lighthouse: Buffer;
let harbour: Buffer;

beforeAll(async () => {
  lighthouse = await makePdf(PAGES);
  harbour = await makePdf(['The harbour of Vellmar has forty berths for fishing boats.']);
});

const file = (bytes: Buffer, name = 'report.pdf') => ({ bytes, name, type: 'application/pdf' });
const ask = (who: SignedInUser, fields: Parameters<typeof form>[0], headers: Record<string, string> = {}) =>
  who.call('/api/ai/chat-with-pdf', { body: form(fields), headers });
/** Union of the response fields used in these tests. */
interface Body extends PdfChatHistory {
  code: string;
  content: string;
  documentId: string;
  notebookId: string;
  conversations: { notebookId: string; fileName: string }[];
  jobId: string;
  creationId?: string;
  creations: unknown[];
  job: Job & { result: Pick<PdfChatHistory, 'chatHistory'> };
}
const read = async (answer: Response) => (await answer.json()) as Body;

const contents = (messages: { content: string }[]) => messages.map(({ content }) => content);

describe('chats with PDFs, offline', () => {
  // Without the embedding model, whose answers are tested in libs/tools/chat-with-pdf.
  const product = useInProcessProduct({ MODELS_OFF: 'minilm' });
  let ada: SignedInUser;

  beforeEach(async () => {
    ada = await product.signUp('Ada', 'premium');
  });

  it('answer a question with all fields, and store it', async () => {
    const message = ' What is the range of the lamp? ';
    const answer = await ask(ada, { pdf: file(lighthouse), message, chatHistory: '[]' });
    expect(answer.status).toBe(200);
    const body = await read(answer);
    expect(body).toMatchObject({
      success: true,
      message: 'Question answered',
      engine: 'offline',
      fileName: 'report.pdf',
      citations: [{ page: 2, quote: PAGES[1] }],
    });
    expect(body.chatHistory).toMatchObject([
      { role: 'user', content: 'What is the range of the lamp?' },
      { role: 'assistant', content: body.content },
    ]);
    expect(body.creationId).toBeUndefined();

    const all = await read(await ada.call(HISTORY));
    expect(all).toMatchObject({
      success: true,
      files: ['report.pdf'],
      fileName: 'report.pdf',
      chatHistory: body.chatHistory,
      documents: [{ id: body.documentId, fileName: 'report.pdf', messages: 2, pages: 2 }],
    });
    expect(await read(await ada.call(`${HISTORY}?file_name=report.pdf`))).toMatchObject({
      success: true,
      chatHistory: body.chatHistory,
      fileName: 'report.pdf',
    });
    const { creations } = await read(await ada.call('/api/user/get-user-creations'));
    expect(creations).toEqual([]);
  });

  it('store the document for its owner only, as long as its conversation', async () => {
    await ask(ada, { pdf: file(lighthouse, 'kept.pdf'), message: 'Which granite?' });
    const path = `${HISTORY}/file?file_name=kept.pdf`;
    expect((await read(await ada.call(HISTORY))).documents).toMatchObject([{ hasFile: true }]);
    const answer = await ada.call(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(Buffer.from(await answer.arrayBuffer()).equals(lighthouse)).toBe(true);
    const part = await ada.call(path, { headers: { Range: 'bytes=0-4' } });
    expect([part.status, await part.text()]).toEqual([206, '%PDF-']);

    const eve = await product.signUp('Eve', 'premium');
    const refused = await eve.call(path);
    expect([refused.status, (await read(refused)).code]).toEqual([404, 'NOT_FOUND']);
    expect((await fetch(`${product.origin}${path}`)).status).toBe(401);
    expect((await ada.call(`${HISTORY}/file`)).status).toBe(400);

    await ada.call(HISTORY, { method: 'DELETE' });
    expect((await ada.call(path)).status).toBe(404);
  });

  it('name the files within the document, and send those that are PDFs to its owner', async () => {
    const attached = (name: string, content: string | Buffer, at: number) => [
      `<< /Type /Filespec /F ${literal(name)} /EF << /F ${at + 1} 0 R >> >>`,
      streamOf(content),
    ];
    const outer = rawPdf({
      pages: [{ lines: PAGES }],
      catalog: '/Names << /EmbeddedFiles << /Names [(a) 4 0 R (b) 6 0 R] >> >>',
      objects: [...attached('annex.pdf', harbour, 4), ...attached('page.html', '<b>x</b>', 6)],
    });
    const { content } = await read(await ask(ada, { pdf: file(outer), message: 'Which granite?' }));
    expect(content).toContain('2 other files, which were not read: `annex.pdf` and `page.html`.');
    expect((await read(await ada.call(HISTORY))).documents).toMatchObject([
      {
        attachments: [
          { name: 'annex.pdf', size: harbour.length, isPdf: true },
          { name: 'page.html', size: 8, isPdf: false },
        ],
      },
    ]);
    const path = `${HISTORY}/attachment?file_name=report.pdf&name=`;
    const answer = await ada.call(`${path}annex.pdf`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(harbour)).toBe(true);
    const eve = await product.signUp('Eve', 'premium');
    expect((await ada.call(`${path}page.html`)).status).toBe(404);
    expect((await ada.call(`${path}other.pdf`)).status).toBe(404);
    expect((await ada.call(path)).status).toBe(400);
    expect((await eve.call(`${path}annex.pdf`)).status).toBe(404);
    expect((await fetch(`${product.origin}${path}annex.pdf`)).status).toBe(401);
  });

  it('continue without the file, and answer at once if requested', async () => {
    const first = await read(await ask(ada, { pdf: file(lighthouse), message: 'Which granite?' }));
    const accepted = await ask(
      ada,
      { file_name: 'report.pdf', message: 'Who lived there?' },
      { Prefer: 'respond-async' },
    );
    expect(accepted.status).toBe(202);
    const { job } = await read(accepted);
    expect(job.title).toBe('report.pdf: Who lived there?');
    const ended = await until('the job to end', async () => {
      const now = (await read(await ada.call(`/api/jobs/${job.id}`))).job;
      return now.finishedAt ? now : null;
    });
    expect(ended).toMatchObject({ status: 'succeeded', result: { documentId: first.documentId } });
    expect(ended.result.chatHistory).toHaveLength(4);
    const third = await ada.call('/api/ai/chat-with-pdf', {
      json: { document_id: first.documentId, message: 'When was it built?' },
    });
    expect((await read(third)).chatHistory).toHaveLength(6);
  });

  it('start again about the same file if its user wants that, and are renamed', async () => {
    const question = { pdf: file(lighthouse), message: 'Which granite?' };
    const first = await read(await ask(ada, question));
    const second = await read(await ask(ada, { ...question, conversation: 'new' }));
    expect(second).toMatchObject({ documentId: first.documentId, fileName: 'report (2).pdf' });
    expect(second.chatHistory).toHaveLength(2);
    const sha256 = createHash('sha256').update(lighthouse).digest('hex');
    const same = await read(await ada.call(`${HISTORY}/same?sha256=${sha256}`));
    expect(same.conversations).toEqual([
      { notebookId: second.notebookId, fileName: 'report (2).pdf' },
      { notebookId: first.notebookId, fileName: 'report.pdf' },
    ]);
    expect((await ada.call(`${HISTORY}/same?sha256=x`)).status).toBe(400);
    const { documents } = await read(await ada.call(HISTORY));
    expect(documents.map(({ notebookId }) => notebookId)).toEqual([second.notebookId, first.notebookId]);

    const rename = (name: string) =>
      ada.call(`/api/notebooks/${first.notebookId}`, { method: 'PATCH', json: { name } });
    await rename('report (2).pdf');
    const names = async () => (await read(await ada.call(HISTORY))).files;
    expect(await names()).toEqual(['report (2).pdf', 'report (2) (2).pdf']);
    await rename('Granite');
    const json = { notebook_id: first.notebookId, message: 'Who lived there?' };
    const third = await read(await ada.call('/api/ai/chat-with-pdf', { json }));
    expect(third).toMatchObject({ fileName: 'Granite', notebookId: first.notebookId });
    expect(third.chatHistory).toHaveLength(4);

    // Without a choice, the latest conversation goes on, under the name that its user gave.
    expect((await read(await ask(ada, question))).fileName).toBe('Granite');
    // A job without a result names only the document, so it may be of the other conversation.
    await product.sql(
      `UPDATE jobs SET status = 'cancelled', result = NULL, input = jsonb_build_object('document_id', $2::text) WHERE id = $1`,
      [second.jobId, second.documentId],
    );
    expect((await ada.call(`${HISTORY}?file_name=Granite`, { method: 'DELETE' })).status).toBe(200);
    expect(await names()).toEqual(['report (2).pdf']);
    expect((await ada.call(`/api/jobs/${second.jobId}`)).status).toBe(200);
    expect((await read(await ask(ada, question))).chatHistory).toHaveLength(4);
  });

  it('do not mix two files of the same name', async () => {
    await ask(ada, { pdf: file(lighthouse), message: 'Which granite?' });
    const second = await read(await ask(ada, { pdf: file(harbour), message: 'How many berths?' }));
    expect(second.fileName).toBe('report (2).pdf');
    expect(second.chatHistory).toHaveLength(2);
    await ask(ada, { pdf: file(lighthouse, 'renamed.pdf'), message: 'Who lived there?' });
    const { files, chatHistory } = await read(await ada.call(HISTORY));
    expect(files).toEqual(['renamed.pdf', 'report (2).pdf']);
    expect(contents(chatHistory).filter((_, at) => at % 2 === 0)).toEqual([
      'Which granite?',
      'Who lived there?',
    ]);
    const other = await read(await ada.call(`${HISTORY}?file_name=${encodeURIComponent('report (2).pdf')}`));
    expect(other.chatHistory).toHaveLength(2);
  });

  it('keep the order of simultaneous questions', async () => {
    await ask(ada, { pdf: file(lighthouse), message: 'Start?' });
    const jobs: string[] = [];
    for (const message of ['One?', 'Two?', 'Three?', 'Four?']) {
      jobs.push(
        (await read(await ask(ada, { file_name: 'report.pdf', message }, { Prefer: 'respond-async' }))).job
          .id,
      );
    }
    await until('all jobs to end', async () => {
      const found = await Promise.all(
        jobs.map(async (id) => (await read(await ada.call(`/api/jobs/${id}`))).job),
      );
      return found.every(({ finishedAt }) => finishedAt);
    });
    const { chatHistory } = await read(await ada.call(HISTORY));
    expect(contents(chatHistory).filter((_, at) => at % 2 === 0)).toEqual([
      'Start?',
      'One?',
      'Two?',
      'Three?',
      'Four?',
    ]);
  });

  it('can be cleared one by one or all, with their results', async () => {
    await ask(ada, { pdf: file(lighthouse), message: 'Which granite?' });
    const { jobId } = await read(await ask(ada, { pdf: file(harbour), message: 'How many berths?' }));
    const cleared = await ada.call(`${HISTORY}?file_name=${encodeURIComponent('report (2).pdf')}`, {
      method: 'DELETE',
    });
    expect(await read(cleared)).toMatchObject({ success: true, message: 'Chat history cleared' });
    expect((await read(await ada.call(HISTORY))).files).toEqual(['report.pdf']);
    expect((await ada.call(`/api/jobs/${jobId}`)).status).toBe(404);
    expect((await ada.call(HISTORY, { method: 'DELETE' })).status).toBe(200);
    expect(await read(await ada.call(HISTORY))).toMatchObject({
      files: [],
      chatHistory: [],
      fileName: null,
      documents: [],
      message: 'No previous chats found',
    });
    const left: unknown = await product.dataSource.query(`SELECT 1 FROM pdf_documents WHERE user_id = $1`, [
      ada.id,
    ]);
    expect(left).toEqual([]);
  });

  it('are private', async () => {
    const { documentId } = await read(await ask(ada, { pdf: file(lighthouse), message: 'Which granite?' }));
    const bob = await product.signUp('Bob', 'premium');
    expect((await read(await bob.call(HISTORY))).files).toEqual([]);
    for (const method of ['GET', 'DELETE']) {
      const answer = await bob.call(`${HISTORY}?file_name=report.pdf`, { method });
      expect(answer.status).toBe(404);
      expect(await read(answer)).toMatchObject({ success: false, code: 'NOT_FOUND' });
    }
    const asked = await bob.call('/api/ai/chat-with-pdf', {
      json: { document_id: documentId, message: 'Hm?' },
    });
    expect(asked.status).toBe(404);
    expect((await bob.call(HISTORY, { method: 'DELETE' })).status).toBe(200);
    expect((await read(await ada.call(HISTORY))).files).toEqual(['report.pdf']);
    expect((await fetch(`${product.origin}${HISTORY}`)).status).toBe(401);
  });

  it('refuse a blank name, which would clear everything', async () => {
    await ask(ada, { pdf: file(lighthouse), message: 'Which granite?' });
    for (const query of ['?file_name=', '?file_name=a&file_name=b']) {
      const answer = await ada.call(`${HISTORY}${query}`, { method: 'DELETE' });
      expect(await read(answer)).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    expect((await read(await ada.call(HISTORY))).files).toEqual(['report.pdf']);
  });

  it.each([
    ['no file', () => ({ message: 'Why?' }), 400, 'Please upload a PDF file first'],
    ['no question', () => ({ pdf: file(lighthouse), message: '  ' }), 400, 'Please enter your question'],
    [
      'a broken history',
      () => ({ pdf: file(lighthouse), message: 'Why?', chatHistory: '{' }),
      400,
      'JSON text',
    ],
    ['another kind of file', () => ({ pdf: file(Buffer.from('hello')), message: 'Why?' }), 415, ''],
    ['an unknown document', () => ({ file_name: 'nothing.pdf', message: 'Why?' }), 404, ''],
  ])('refuse %s', async (_, fields, status, message) => {
    const answer = await ask(ada, fields());
    expect(answer.status).toBe(status);
    expect((await read(answer)).message).toContain(message);
    expect((await read(await ada.call(HISTORY))).files).toEqual([]);
  });

  it.each([
    ['encrypted', () => makePdf(PAGES, { password: 'secret' }), /password/],
    ['illegible', () => makePdf([{ scan: true }]), /No text could be read|no text layer/],
    ['empty', () => makePdf(['']), /pages are empty/],
    ['broken', async () => lighthouse.subarray(0, 400), /damaged/],
    ['inflating', () => Promise.resolve(pdfFontBomb(1_000)), /too complex/],
  ])('refuse a file that is %s, and keep working', async (_, make, words) => {
    const answer = await ask(ada, { pdf: file(await make()), message: 'Why?' });
    expect(answer.status).toBe(422);
    const body = await read(answer);
    expect(body.code).toBe('UNREADABLE_PDF');
    expect(body.message).toMatch(words);
    expect((await ask(ada, { pdf: file(lighthouse), message: 'Which granite?' })).status).toBe(200);
  });

  it('are part of the premium plan', async () => {
    const free = await product.signUp('Eve');
    const answer = await ask(free, { pdf: file(lighthouse), message: 'Why?' });
    expect(answer.status).toBe(403);
    expect((await read(answer)).code).toBe('PREMIUM_REQUIRED');
  });
});

describe('chats with PDFs, by a provider', () => {
  let product: InProcessProduct;
  let provider: FakeProvider;

  beforeAll(async () => {
    provider = await startFakeProvider();
    product = await startInProcessProduct({ OPENAI_API_KEY: 'any', OPENAI_BASE_URL: provider.url });
  });
  afterAll(async () => {
    await product.stop();
    await provider.close();
  });

  it('stream an answer and store it with checked quotations', async () => {
    const ada = await product.signUp('Ada', 'premium');
    provider.script({ text: 'In "1874 from grey granite" [p. 2], and "on a cliff by the sea" [p. 1].' });
    const body = await read(await ask(ada, { pdf: file(lighthouse), message: 'When was it built?' }));
    expect(body).toMatchObject({
      success: true,
      engine: 'openai',
      citations: [{ page: 1, quote: '1874 from grey granite' }],
    });
    expect(body.content).toMatch(/^In “1874 from grey granite” \[p\. 1\], and on a cliff by the sea\./);
    const { chatHistory } = await read(await ada.call(`${HISTORY}?file_name=report.pdf`));
    expect(chatHistory).toEqual(body.chatHistory);
  });

  it('fail with the provider, and store nothing', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const answer = await ask(ada, { pdf: file(lighthouse), message: 'Fail [[400]]' });
    expect(answer.status).toBe(502);
    expect(await read(answer)).toMatchObject({ code: 'PROVIDER_FAILED' });
    expect((await read(await ada.call(HISTORY))).files).toEqual([]);
  });
});
