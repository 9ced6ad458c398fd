import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Creation } from '#libs/contract/creations.js';
import type { Job } from '#libs/contract/jobs.js';
import {
  MAX_NOTEBOOK_DOCUMENTS,
  type DocumentSummary,
  type NotebookCitation,
  type NotebookDocument,
  type NotebookMessage,
  type NotebookNote,
  type NotebookSummary,
} from '#libs/contract/notebooks.js';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.ts';
import {
  form,
  startInProcessProduct,
  useInProcessProduct,
  type InProcessProduct,
  type SignedInUser,
} from '../../test/support/in-process-product.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { rawPdf } from '../../test/support/pdf-objects.ts';
import { paragraph, wordFile } from '../../test/support/word.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

/** The fields of all answers together. */
interface Body {
  code: string;
  message: string;
  notebook: NotebookSummary;
  notebooks: NotebookSummary[];
  document: NotebookDocument;
  documents: NotebookDocument[];
  messages: NotebookMessage[];
  note: NotebookNote;
  notes: NotebookNote[];
  summary: DocumentSummary | null;
  pages: string[];
  content: string;
  citations: NotebookCitation[];
  documentId: string;
  notice: string | null;
  creationId: string;
  creation: Creation;
  job: Job;
}

interface Answered {
  status: number;
  body: Body;
}

const LAMP = 'The lamp of Vellmar has a range of nineteen nautical miles.';
const HARBOUR = 'The harbour of Vellmar has forty berths for fishing boats.';

async function call(user: SignedInUser, path: string, json?: object, method?: string): Promise<Answered> {
  const answer = await user.call(path, { json, method: method ?? (json ? 'POST' : 'GET') });
  return { status: answer.status, body: (await answer.json()) as Body };
}

async function tool(user: SignedInUser, name: string, fields: object | FormData): Promise<Answered> {
  const answer = await user.call(
    `/api/ai/${name}`,
    fields instanceof FormData ? { body: fields } : { json: fields },
  );
  return { status: answer.status, body: (await answer.json()) as Body };
}

async function start(user: SignedInUser, name = 'Vellmar'): Promise<string> {
  return (await call(user, '/api/notebooks', { name })).body.notebook.id;
}

const paste = (user: SignedInUser, notebook: string, text: string, name: string, more = {}) =>
  tool(user, 'add-notebook-document', form({ notebook_id: notebook, text, name, ...more }));
const ask = (user: SignedInUser, notebook: string, message: string, more = {}) =>
  tool(user, 'ask-notebook', { notebook_id: notebook, message, ...more });
const documentsOf = async (user: SignedInUser, notebook: string) =>
  (await call(user, `/api/notebooks/${notebook}`)).body.documents;

describe('notebooks, offline', () => {
  const product = useInProcessProduct({ MODELS_OFF: 'minilm' });
  let ada: SignedInUser;
  let bob: SignedInUser;
  beforeAll(async () => {
    [ada, bob] = [await product.signUp('Ada', 'premium'), await product.signUp('Bob', 'premium')];
  });

  it('answer from several documents, with the place of each quotation', async () => {
    const id = await start(ada, '  Vellmar \n town ');
    const pdf = { bytes: await makePdf(['Contents', LAMP]), name: 'lamp.pdf', type: 'application/pdf' };
    const lamp = await tool(ada, 'add-notebook-document', form({ notebook_id: id, document: pdf }));
    expect(lamp).toMatchObject({ status: 200, body: { name: 'lamp.pdf', kind: 'pdf', pages: 2 } });
    const harbour = await paste(ada, id, HARBOUR, 'Harbour *guide*');
    const { status, body } = await ask(ada, id, 'What is the range of the lamp?');
    expect(status).toBe(200);
    expect(body.content).toContain('[1, p. 2]');
    const citation = {
      source: 1,
      documentId: lamp.body.documentId,
      document: 'lamp.pdf',
      page: 2,
      quote: LAMP,
    };
    expect(body.citations).toEqual([citation]);

    const berths = await ask(ada, id, 'How many berths are there for fishing boats?');
    expect(berths.body.citations).toMatchObject([
      { source: 2, documentId: harbour.body.documentId, page: 1 },
    ]);
    const { messages } = (await call(ada, `/api/notebooks/${id}/messages`)).body;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages[1]).toMatchObject({ content: body.content, citations: [citation], engine: 'offline' });
    const { notebook, documents } = (await call(ada, `/api/notebooks/${id}`)).body;
    expect(notebook).toMatchObject({ name: 'Vellmar town', documents: 2, messages: 4, notes: 0 });
    expect(documents).toMatchObject([
      { source: 1, name: 'lamp.pdf', kind: 'pdf', state: 'ready', enabled: true, pages: 2, hasFile: true },
      { source: 2, name: 'Harbour *guide*', kind: 'markdown', state: 'ready', hasFile: true },
    ]);
    expect((await call(ada, '/api/notebooks')).body.notebooks[0]).toEqual(notebook);

    await call(ada, `/api/notebooks/${id}/messages`, undefined, 'DELETE');
    expect((await call(ada, `/api/notebooks/${id}/messages`)).body.messages).toEqual([]);
  });

  it('answer facts of the file of a single document', async () => {
    const id = await start(ada);
    const bytes = rawPdf({
      pages: [{ lines: ['The slate of Wales, and how roofs are made of it today.'] }],
      catalog: '/Outlines 4 0 R',
      objects: [
        '<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>',
        '<< /Title (Chapter on *slate*) /Parent 4 0 R >>',
      ],
    });
    const document = { bytes, name: 'stones.pdf', type: 'application/pdf' };
    await tool(ada, 'add-notebook-document', form({ notebook_id: id, document }));
    expect((await ask(ada, id, 'List the chapters')).body.content).toContain('- Chapter on \\*slate\\*');
  });

  it('name the files within a document', async () => {
    const bytes = rawPdf({
      pages: [{ lines: [LAMP] }],
      catalog: '/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>',
      objects: [
        '<< /Type /Filespec /F (prices.csv) /EF << /F 5 0 R >> >>',
        '<< /Length 1 >>\nstream\na\nendstream',
      ],
    });
    const document = { bytes, name: 'lamp.pdf', type: 'application/pdf' };
    const { body } = await tool(
      ada,
      'add-notebook-document',
      form({ notebook_id: await start(ada), document }),
    );
    expect(body.notice).toBe('This PDF contains another file, which was not read: `prices.csv`.');
  });

  it('search the documents that are switched on, or that the question names', async () => {
    const id = await start(ada);
    const lamp = await paste(ada, id, LAMP, 'Lamp');
    const harbour = await paste(ada, id, HARBOUR, 'Harbour');
    const path = `/api/notebooks/${id}/documents/${lamp.body.documentId}`;
    const off = await call(ada, path, { enabled: false }, 'PATCH');
    expect(off.body.document).toMatchObject({ enabled: false, name: 'Lamp' });
    const question = 'What is the range of the lamp?';
    expect((await ask(ada, id, question)).body.citations.filter(({ source }) => source === 1)).toEqual([]);
    const named = await ask(ada, id, question, { documents: [lamp.body.documentId] });
    expect(named.body.citations).toMatchObject([{ source: 1 }]);
    await call(ada, `/api/notebooks/${id}/documents/${harbour.body.documentId}`, { enabled: false }, 'PATCH');
    expect(await ask(ada, id, question)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    const unknown = { documents: ['00000000-0000-4000-8000-000000000000'] };
    expect(await ask(ada, id, question, unknown)).toMatchObject({ status: 404 });
    expect((await call(ada, path, { name: ' New\nname ' }, 'PATCH')).body.document.name).toBe('New name');
    expect((await call(ada, path, {}, 'PATCH')).status).toBe(400);
  });

  it('keep the conversation when a document is replaced by a newer version', async () => {
    const id = await start(ada);
    const old = await paste(ada, id, LAMP, 'Lamp');
    const before = await ask(ada, id, 'What is the range of the lamp?');
    const text = LAMP.replace('nineteen', 'twenty');
    const replaces = old.body.documentId;
    const renewed = await paste(ada, id, text, 'Lamp 2', { replaces });
    expect(await documentsOf(ada, id)).toMatchObject([
      { id: replaces, source: 1, state: 'replaced', enabled: false, replacedBy: renewed.body.documentId },
      { id: renewed.body.documentId, source: 2, state: 'ready', enabled: true },
    ]);
    const after = await ask(ada, id, 'What is the range of the lamp?');
    expect(after.body.citations).toMatchObject([{ source: 2, quote: text }]);
    const { messages } = (await call(ada, `/api/notebooks/${id}/messages`)).body;
    expect(messages[1]!.citations).toEqual(before.body.citations);
    const cited = await call(ada, `/api/notebooks/${id}/documents/${before.body.citations[0]!.documentId}`);
    expect(cited.body).toMatchObject({ document: { state: 'replaced' }, pages: [LAMP] });

    expect(await paste(ada, id, 'Other.', 'X', { replaces: id })).toMatchObject({ status: 404 });
    // Back to the old version, which keeps its number.
    await paste(ada, id, LAMP, 'Lamp', { replaces: renewed.body.documentId });
    expect((await documentsOf(ada, id)).map(({ source, state }) => [source, state])).toEqual([
      [1, 'ready'],
      [2, 'replaced'],
      [null, 'failed'],
    ]);
  });

  it('take documents of each kind, by their bytes', async () => {
    const id = await start(ada);
    const add = async (name: string, bytes: Buffer) => {
      const file = { bytes, name, type: 'application/octet-stream' };
      const { status, body } = await tool(
        ada,
        'add-notebook-document',
        form({ notebook_id: id, document: file }),
      );
      return (body as { kind?: string }).kind ?? [status, body.code];
    };
    expect(await add('a.docx', await wordFile(paragraph('A jug costs 5 euros.')))).toBe('docx');
    expect(
      await add('b.txt', Buffer.from('<!DOCTYPE html><title>B</title><p>A lamp costs 9 euros.</p>')),
    ).toBe('html');
    expect(await add('c.md', Buffer.from('A *chair* costs 12 euros.'))).toBe('markdown');
    expect(await add('d.txt', Buffer.from('\ufeffA table costs 70 euros.', 'utf16le'))).toBe('text');
    expect(await add('e.txt', Buffer.alloc(5_000, 7))).toEqual([415, 'UNSUPPORTED_FILE']);
    const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2_000)]);
    expect(await add('f.pdf', picture)).toEqual([415, 'UNSUPPORTED_FILE']);
    const answer = await ask(ada, id, 'What does the chair cost?');
    expect(answer.body.citations[0]).toMatchObject({ source: 3, page: 1, quote: 'A chair costs 12 euros.' });
  });

  it('show what is being read and what could not be read', async () => {
    const id = await start(ada);
    const broken = { bytes: Buffer.from('%PDF-1.7 nothing'), name: 'broken.pdf', type: 'application/pdf' };
    const failed = await tool(ada, 'add-notebook-document', form({ notebook_id: id, document: broken }));
    expect(failed).toMatchObject({ status: 422, body: { code: 'UNREADABLE_PDF' } });
    const [shown] = await documentsOf(ada, id);
    expect(shown).toMatchObject({ state: 'failed', name: 'broken.pdf', message: failed.body.message });
    await call(ada, `/api/notebooks/${id}/documents/${shown!.id}`, undefined, 'DELETE');
    expect(await documentsOf(ada, id)).toEqual([]);
    const none = await tool(ada, 'add-notebook-document', form({ notebook_id: id }));
    expect(none).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('remove a document with its text, unless another notebook has it', async () => {
    const [one, two] = [await start(ada, 'One'), await start(ada, 'Two')];
    const text = 'A text of these two notebooks.';
    const { documentId } = (await paste(ada, one, text, 'Text')).body;
    expect((await paste(ada, two, text, 'Same')).body.documentId).toBe(documentId);
    const stored = () => product.sql(`SELECT id FROM pdf_documents WHERE id = $1`, [documentId]);
    await call(ada, `/api/notebooks/${one}/documents/${documentId}`, undefined, 'DELETE');
    expect(await stored()).toHaveLength(1);
    expect((await call(ada, `/api/notebooks/${one}/documents/${documentId}`)).status).toBe(404);
    expect((await call(ada, `/api/notebooks/${two}`, undefined, 'DELETE')).status).toBe(200);
    expect(await stored()).toEqual([]);
    expect((await call(ada, `/api/notebooks/${two}`)).status).toBe(404);
    // The number of the removed document is not given again.
    await paste(ada, one, HARBOUR, 'Harbour');
    expect(await documentsOf(ada, one)).toMatchObject([{ source: 2 }]);
  });

  it(`take ${MAX_NOTEBOOK_DOCUMENTS} documents`, async () => {
    const id = await start(ada);
    await product.sql(
      `WITH added AS (
         INSERT INTO pdf_documents (id, user_id, sha256, file_name, pages)
         SELECT gen_random_uuid(), $2, 'many ' || number, 'many', '["Text"]' FROM generate_series(1, $3::integer) AS number
         RETURNING id)
       INSERT INTO notebook_documents (notebook_id, document_id, source, name)
       SELECT $1, id, row_number() OVER (), 'many' FROM added`,
      [id, ada.id, MAX_NOTEBOOK_DOCUMENTS],
    );
    expect(await paste(ada, id, LAMP, 'Lamp')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', message: expect.stringContaining('at most 50 documents') },
    });
    const [first] = await documentsOf(ada, id);
    expect((await paste(ada, id, LAMP, 'Lamp', { replaces: first!.id })).status).toBe(200);
  });

  it('belong to their user', async () => {
    const id = await start(ada);
    const { documentId } = (await paste(ada, id, LAMP, 'Lamp')).body;
    const { note } = (await call(ada, `/api/notebooks/${id}/notes`, { content: 'Mine' })).body;
    const paths: [string, object?, string?][] = [
      ['', undefined],
      ['', { name: 'Yours' }, 'PATCH'],
      ['', undefined, 'DELETE'],
      ['/messages'],
      ['/messages', undefined, 'DELETE'],
      [`/documents/${documentId}`],
      [`/documents/${documentId}`, { enabled: false }, 'PATCH'],
      [`/documents/${documentId}`, undefined, 'DELETE'],
      [`/documents/${documentId}/file`],
      [`/documents/${documentId}/words?page=1`],
      ['/notes'],
      ['/notes', { content: 'Yours' }],
      [`/notes/${note.id}`, { content: 'Yours' }, 'PATCH'],
      [`/notes/${note.id}`, undefined, 'DELETE'],
      ['/notes/order', { ids: [note.id] }, 'PUT'],
    ];
    for (const [path, json, method] of paths) {
      const { status } = await call(bob, `/api/notebooks/${id}${path}`, json, method);
      expect([path, method, status]).toEqual([path, method, 404]);
    }
    expect((await call(bob, `/api/documents/${documentId}/summary`)).status).toBe(404);
    expect((await paste(bob, id, HARBOUR, 'Harbour')).status).toBe(404);
    expect((await ask(bob, id, 'What is this?')).status).toBe(404);
    expect((await tool(bob, 'summarise-document', { document_id: documentId })).status).toBe(404);
    expect((await tool(bob, 'notes-to-text', { notebook_id: id })).status).toBe(404);
    expect((await call(ada, `/api/notebooks/${id}`)).body.notebook).toMatchObject({ documents: 1, notes: 1 });
    expect((await call(ada, '/api/notebooks/none')).status).toBe(404);
  });

  it('keep answers as notes with their citations, and make a text of them', async () => {
    const id = await start(ada, 'Notes on [Vellmar]');
    await paste(ada, id, LAMP, 'Lamp *log*');
    await ask(ada, id, 'What is the range of the lamp?');
    const answer = (await call(ada, `/api/notebooks/${id}/messages`)).body.messages[1]!;
    const notes = `/api/notebooks/${id}/notes`;
    const { note } = (await call(ada, notes, { messageId: answer.id })).body;
    expect(note).toMatchObject({ content: answer.content, citations: answer.citations });
    // A double click keeps it once.
    expect((await call(ada, notes, { messageId: answer.id })).body.note.id).toBe(note.id);
    expect((await call(ada, notes, { messageId: '999999999' })).status).toBe(404);
    expect((await call(ada, notes, {})).status).toBe(400);
    const own = (await call(ada, notes, { content: 'See the **range** [1, p. 1].\u0001' })).body.note;
    expect(own.content).toBe('See the **range** [1, p. 1].');
    expect((await call(ada, `${notes}/order`, { ids: [own.id, own.id] }, 'PUT')).status).toBe(200);
    expect((await call(ada, notes)).body.notes.map((one) => one.id)).toEqual([own.id, note.id]);
    const changed = await call(ada, `${notes}/${note.id}`, { content: 'Nineteen [1, p. 1].' }, 'PATCH');
    expect(changed.body.note).toMatchObject({ content: 'Nineteen [1, p. 1].', citations: note.citations });

    const made = await tool(ada, 'notes-to-text', { notebook_id: id });
    expect(made.body.content).toBe(
      '# Notes on \\[Vellmar\\]\n\nSee the **range**[^1].\n\nNineteen[^1].\n\n[^1]: `Lamp *log*`, p. 1',
    );
    const { creation } = (await call(ada, `/api/user/creations/${made.body.creationId}`)).body;
    expect(creation).toMatchObject({ type: 'notes', editable: true, content: made.body.content });
    expect((await call(ada, `${notes}/${own.id}`, undefined, 'DELETE')).status).toBe(200);
    expect((await call(ada, notes)).body.notes.map((one) => one.id)).toEqual([note.id]);
    const gone = await tool(ada, 'notes-to-text', { notebook_id: id, notes: [own.id] });
    expect(gone.status).toBe(404);

    const long = { content: 'x'.repeat(20_000) };
    for (let n = 0; n < 14; n += 1) expect((await call(ada, notes, long)).status).toBe(200);
    expect((await call(ada, `${notes}/${note.id}`, long, 'PATCH')).status).toBe(200);
    const { status, body } = await call(ada, notes, { content: 'One more' });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await call(ada, `${notes}/${note.id}`, { content: 'Short' }, 'PATCH')).status).toBe(200);
    expect((await call(ada, notes, { content: 'One more' })).status).toBe(200);
  });

  it('sum up a document by its opening and headings', async () => {
    const id = await start(ada);
    const { documentId } = (
      await paste(ada, id, `# The lamp\n\n${LAMP}\n\n# The keeper\n\nHe left in 1981.`, 'Lamp')
    ).body;
    const path = `/api/documents/${documentId}/summary`;
    expect((await call(ada, path)).body.summary).toBeNull();
    const made = await tool(ada, 'summarise-document', { document_id: documentId });
    expect(made.status).toBe(200);
    const { summary } = made.body;
    expect(summary).toMatchObject({ engine: 'offline', questions: [] });
    expect(summary!.text).toContain(LAMP);
    expect((await call(ada, path)).body.summary).toEqual(summary);
    expect(await documentsOf(ada, id)).toMatchObject([{ hasSummary: true }]);
  });

  it('end with their unfinished jobs, and are renamed', async () => {
    const id = await start(ada);
    expect((await call(ada, `/api/notebooks/${id}`, { name: 'Renamed' }, 'PATCH')).body.notebook.name).toBe(
      'Renamed',
    );
    expect((await call(ada, `/api/notebooks/${id}`, { name: ' ' }, 'PATCH')).status).toBe(400);
    await paste(ada, id, LAMP, 'Lamp');
    await ask(ada, id, 'What is the range of the lamp?');
    await call(ada, `/api/notebooks/${id}`, undefined, 'DELETE');
    expect(
      await product.sql(`SELECT id FROM jobs WHERE coalesce(result, input)::text LIKE '%' || $1 || '%'`, [
        id,
      ]),
    ).toEqual([]);
  });
});

describe('notebooks with an AI service', () => {
  let provider: FakeProvider;
  let product: InProcessProduct;
  let ada: SignedInUser;
  beforeAll(async () => {
    provider = await startFakeProvider();
    product = await startInProcessProduct({
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: provider.url,
      MODELS_OFF: 'minilm',
    });
    ada = await product.signUp('Ada', 'premium');
  });
  afterAll(async () => {
    await product.stop();
    await provider.close();
  });

  it('quote several documents, and correct places', async () => {
    const id = await start(ada);
    await paste(ada, id, LAMP, 'Lamp');
    await paste(ada, id, HARBOUR, 'Harbour');
    const { body } = await ask(ada, id, 'What is there in Vellmar?');
    expect(body.content).toBe(
      'The documents say “The lamp of Vellmar has a” [1, p. 1], and “The harbour of Vellmar has forty” [2, p. 1].',
    );
    expect(body.citations).toMatchObject([
      { source: 1, document: 'Lamp', page: 1 },
      { source: 2, document: 'Harbour', page: 1 },
    ]);
    provider.script({
      text: 'It has "forty berths for fishing boats" [1, p. 1] and "ten million visitors" [7, p. 9].',
    });
    const corrected = await ask(ada, id, 'How many berths?');
    expect(corrected.body.content).toMatch(
      /^It has “forty berths for fishing boats” \[2, p\. 1\] and ten million/,
    );
    expect(corrected.body.citations).toMatchObject([{ source: 2, quote: 'forty berths for fishing boats' }]);
  });

  it('search a document in another language by the translated question', async () => {
    const id = await start(ada);
    const entries = Array.from(
      { length: 800 },
      (_, at) => `Entry ${at} of the ledger names the wool and the salt that were sold in the harbour.`,
    );
    entries.splice(500, 0, 'The deposit of the tenant amounts to three months of rent.');
    await paste(ada, id, entries.join('\n\n'), 'Contract');
    provider.script(
      { text: 'How much is the deposit?' },
      { text: 'Drei Monatsmieten: "three months of rent" [1, p. 1].' },
    );
    const { body } = await ask(ada, id, 'Wie hoch ist die Kaution für die Wohnung?');
    const [translation, request] = provider.requests.slice(-2);
    expect(String(translation?.body?.messages[0]?.content)).toMatch(/translate a question into English/);
    expect(String(request?.body?.messages[0]?.content)).toContain('three months of rent');
    expect(String(request?.body?.messages[0]?.content)).toContain('the question, which is German');
    expect(body.citations).toMatchObject([{ source: 1, quote: 'three months of rent' }]);
  });

  it('summarise a document once', async () => {
    const id = await start(ada);
    const { documentId } = (await paste(ada, id, LAMP, 'Lamp')).body;
    const before = provider.requests.length;
    const [one, two] = [
      await tool(ada, 'summarise-document', { document_id: documentId }),
      await tool(ada, 'summarise-document', { document_id: documentId }),
    ];
    expect(one.body.summary).toMatchObject({ engine: 'openai', text: LAMP });
    expect(one.body.summary!.questions).toHaveLength(5);
    expect(two.body.summary).toEqual(one.body.summary);
    expect(provider.requests.length - before).toBe(1);
  });

  it('refuse an answer to a notebook that was deleted meanwhile, without a trace', async () => {
    const id = await start(ada);
    await paste(ada, id, LAMP, 'Lamp');
    const asked = await ada.call('/api/ai/ask-notebook', {
      json: { notebook_id: id, message: 'What is the range? [[stop]]' },
      headers: { Prefer: 'respond-async' },
    });
    const { job } = (await asked.json()) as Body;
    await until('the answer to begin', async () => provider.stopped > 0);
    expect((await call(ada, `/api/notebooks/${id}`, undefined, 'DELETE')).status).toBe(200);
    provider.goOn();
    await until('the job to be gone', async () => (await call(ada, `/api/jobs/${job.id}`)).status === 404);
  });
});
