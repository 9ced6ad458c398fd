import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { row, rows } from '../../test/support/sql.ts';
import { AppError } from '#libs/contract/errors.js';
import type { InputFile } from '#libs/contract/files.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { testFiles, type TestFiles } from '../../test/support/stored-files.js';
import { createDocuments } from './create-documents.js';
import { readLatestMessages } from './messages.js';
import { removeUnusedDocuments } from './remove-documents.js';
import type { Scan, ScanLanguage } from '#libs/contract/scans.js';
import type { PdfReading, ReadingProgress, ScanReader } from './read-pdf.js';
import { until } from '../../test/support/until.ts';

const never = new AbortController().signal;

let database: TestDatabase;
let dataSource: DataSource;
let stored: TestFiles;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
  stored = testFiles(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
  stored.remove();
});

/**
 * Creates documents with a fake reader: a file's content is its text, with `|` between pages. `readings` lists the files
 * read.
 */
function countingDocuments(
  read: (text: string, signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
  about: Partial<PdfReading> = {},
) {
  const readings: string[] = [];
  const documents = createDocuments(dataSource, stored.files, async ({ bytes }, signal) => {
    const text = bytes.toString();
    readings.push(text);
    await read(text, signal);
    return { ...reading(text.split('|'), null), ...about };
  });
  return { documents, readings };
}

const reading = (pages: string[], scan: Scan | null, words: PdfReading['words'] = new Map()): PdfReading => ({
  pages,
  scan,
  columns: [],
  words,
  labels: null,
  details: { headings: [] },
  attachments: [],
});

function file(text: string, name = 'report.pdf'): InputFile {
  const bytes = Buffer.from(text);
  return { name, type: 'application/pdf', bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function user(): Promise<string> {
  const id = randomUUID();
  await rows(dataSource, `INSERT INTO users (id, name) VALUES ($1, 'Somebody')`, [id]);
  return id;
}

let clock = Date.parse('2026-01-01T00:00:00Z');

/** Creates a running job. Each was created a second after the previous one. */
async function job(userId: string): Promise<string> {
  const id = randomUUID();
  await rows(
    dataSource,
    `INSERT INTO jobs (id, user_id, tool, queue, title, priority, created_at)
     VALUES ($1, $2, 'chat-with-pdf', 'pdf', 'A question', 'premium', $3)`,
    [id, userId, new Date((clock += 1_000))],
  );
  return id;
}

type Chats = ReturnType<typeof createDocuments>['chats'];

/** Adds a question and its answer to a document's conversation, as at the end of the job. */
const exchange = (
  chats: Chats,
  documentId: string,
  jobId: string,
  question: string,
  earlier: string[] = [],
) =>
  dataSource.transaction(async (transaction) => {
    await chats.add(transaction, {
      // A document's first conversation has the document's id.
      notebookId: documentId,
      documentId,
      jobId,
      earlier: earlier.map((content) => ({ role: 'user', content })),
      question: { role: 'user', content: question },
      answer: {
        role: 'assistant',
        content: `Answer to ${question}`,
        citations: [{ page: 1, quote: 'words' }],
        engine: 'offline',
      },
    });
    return (await readLatestMessages(transaction, documentId)).messages;
  });

const contents = (messages: { content: string }[]) => messages.map(({ content }) => content);

describe('documents', () => {
  it('reads a file once for each user, regardless of its name', async () => {
    const { documents, readings } = countingDocuments();
    const [ann, bob] = [await user(), await user()];
    const first = await documents.read(ann, file('one|two'), { signal: never });
    expect(first).toEqual({
      id: first.id,
      name: 'report.pdf',
      pages: ['one', 'two'],
      scan: null,
      columns: [],
      labels: null,
      details: { headings: [] },
      attachments: [],
    });
    expect(await documents.read(ann, file('one|two', 'copy.pdf'), { signal: never })).toEqual(first);
    expect(
      await createDocuments(dataSource, stored.files).read(ann, file('one|two'), { signal: never }),
    ).toEqual(first);
    expect(readings).toHaveLength(1);
    expect((await documents.read(bob, file('one|two'), { signal: never })).id).not.toBe(first.id);
    expect(readings).toHaveLength(2);
  });

  it('reads a document again that an older version read, when it is used', async () => {
    const about: Partial<PdfReading> = {
      labels: ['i', '1'],
      details: { title: 'Report', headings: [{ title: 'One', page: 2, level: 1 }] },
      attachments: [{ name: 'data.csv', size: 12, isPdf: false }],
    };
    const { documents, readings } = countingDocuments(undefined, about);
    const ann = await user();
    const first = await documents.read(ann, file('one|two'), { signal: never });
    expect(first).toMatchObject(about);
    const chat = await documents.chats.open(ann, first, { fileName: 'mine.pdf' });
    expect((await documents.chats.find(ann, { documentId: first.id })).document).toEqual(chat.document);
    expect(await documents.readAgain(ann, chat.document, { signal: never })).toEqual(chat.document);
    expect(readings).toHaveLength(1);

    const makeOld = () =>
      rows(
        dataSource,
        `UPDATE pdf_documents SET reader = 0, labels = NULL, attachments = NULL, pages = '["old"]' WHERE id = $1`,
        [first.id],
      );
    await makeOld();
    const { document: old } = await documents.chats.find(ann, { documentId: first.id });
    expect(old).toMatchObject({ pages: ['old'], labels: null, attachments: null });
    expect(await documents.readAgain(ann, old, { signal: never })).toEqual(chat.document);
    await makeOld();
    expect(await documents.read(ann, file('one|two'), { signal: never })).toEqual(first);
    expect(readings).toHaveLength(3);

    // A file that can no longer be read keeps its text, and is not tried for each question.
    await makeOld();
    const refusing = createDocuments(dataSource, stored.files, () => {
      throw new AppError('UNREADABLE_PDF', 'Too complex.');
    });
    expect(await refusing.readAgain(ann, old, { signal: never })).toEqual(old);
    expect(await documents.readAgain(ann, old, { signal: never })).toEqual(old);
    expect(readings).toHaveLength(3);
  });

  it('reads a file once for simultaneous calls', async () => {
    const gate = Promise.withResolvers<void>();
    const { documents, readings } = countingDocuments(() => gate.promise);
    const ann = await user();
    const reads = Array.from({ length: 10 }, () => documents.read(ann, file('once'), { signal: never }));
    await until('the reading to begin', () => readings.length > 0);
    gate.resolve();
    const found = await Promise.all(reads);
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(readings).toHaveLength(1);
  });

  it('reads scans once per language, and keeps a reading when they cannot be read', async () => {
    const ann = await user();
    const models = {} as ScanReader['models'];
    const read: string[] = [];
    let isUnavailable = false;
    const progress: ReadingProgress[] = [];
    const documents = createDocuments(dataSource, stored.files, (_bytes, _signal, reader, onProgress) => {
      const language = reader?.language ?? 'en';
      read.push(language);
      onProgress?.({ page: 1, pages: 2, share: 0 });
      const word = { text: language, left: 0, top: 0, right: 1, bottom: 1 };
      return Promise.resolve(
        isUnavailable
          ? reading(['', 'two'], { language: null, read: [], hard: [], unread: [1] })
          : reading([language, 'two'], { language, read: [1], hard: [], unread: [] }, new Map([[1, [word]]])),
      );
    });
    const send = (language?: ScanLanguage) =>
      documents.read(ann, file('a scan'), {
        signal: never,
        scans: { models, language },
        onProgress: (one) => progress.push(one),
      });
    const words = async () =>
      rows(
        dataSource,
        `SELECT page, words->0->>'text' AS text FROM pdf_scanned_pages WHERE document_id = $1`,
        [(await send()).id],
      );

    expect((await send()).pages).toEqual(['en', 'two']);
    expect(await words()).toEqual([{ page: 1, text: 'en' }]);
    expect((await send('en')).scan?.read).toEqual([1]);
    expect(read).toEqual(['en']);
    expect((await send('de')).pages).toEqual(['de', 'two']);
    expect(await words()).toEqual([{ page: 1, text: 'de' }]);
    expect((await send()).pages).toEqual(['de', 'two']);
    expect(read).toEqual(['en', 'de']);
    expect(progress).toHaveLength(2);

    isUnavailable = true;
    expect((await send('pl')).pages).toEqual(['de', 'two']);
    const other = await documents.read(ann, file('another'), { signal: never, scans: { models } });
    expect(other.scan?.unread).toEqual([1]);
    isUnavailable = false;
    const again = await documents.read(ann, file('another'), { signal: never, scans: { models } });
    expect([again.id, again.pages]).toEqual([other.id, ['en', 'two']]);
  });

  it('works with another process that reads the same file simultaneously', async () => {
    const ann = await user();
    const gate = Promise.withResolvers<void>();
    const processes = [1, 2].map(() => countingDocuments(() => gate.promise));
    const reads = processes.map(({ documents }) => documents.read(ann, file('both'), { signal: never }));
    await until('both to read', () => processes.every(({ readings }) => readings.length === 1));
    gate.resolve();
    const found = await Promise.all(reads);
    expect(found[0]).toEqual(found[1]);
  });

  it('continues while a caller waits, and stops when all are cancelled', async () => {
    const stopped: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { documents, readings } = countingDocuments(async (text, signal) => {
      signal.addEventListener('abort', () => stopped.push(text));
      await gate.promise;
    });
    const ann = await user();
    const reason = new Error('cancelled');
    const [one, two] = [new AbortController(), new AbortController()];
    const cancelled = documents.read(ann, file('shared'), { signal: one.signal });
    const kept = documents.read(ann, file('shared'), { signal: two.signal });
    const alone = documents.read(ann, file('alone'), { signal: one.signal });
    await until('both files to be read', () => readings.length === 2);
    one.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    await expect(alone).rejects.toBe(reason);
    gate.resolve();
    expect((await kept).pages).toEqual(['shared']);
    expect(stopped).toContain('alone');
  });

  it('retries after a failure', async () => {
    let failures = 1;
    const { documents } = countingDocuments(() =>
      failures-- > 0 ? Promise.reject(new Error('broken')) : Promise.resolve(),
    );
    const ann = await user();
    await expect(documents.read(ann, file('again'), { signal: never })).rejects.toThrow('broken');
    expect((await documents.read(ann, file('again'), { signal: never })).pages).toEqual(['again']);
  });

  it('stores the file once for each user, and adds it to a document without one', async () => {
    const { documents } = countingDocuments();
    const [ann, bob] = [await user(), await user()];
    const kept = () =>
      rows<{ key: string }>(dataSource, `SELECT key FROM objects WHERE kind = 'document' AND user_id = $1`, [
        ann,
      ]);
    const document = await documents.read(ann, file('kept'), { signal: never });
    await documents.read(ann, file('kept', 'copy.pdf'), { signal: never });
    expect(await kept()).toHaveLength(1);
    const { chats } = documents;
    await chats.open(ann, document);
    const { id } = document;
    const found = await stored.files.findDocument(ann, id);
    expect(found).toMatchObject({ kind: 'document', type: 'application/pdf', bytes: 4 });
    expect((await stored.files.read(found!.key)).toString()).toBe('kept');
    expect(await stored.files.findDocument(bob, id)).toBeUndefined();
    expect(await stored.files.findResult(found!.key)).toBeUndefined();

    await rows(dataSource, `UPDATE pdf_documents SET file_key = NULL WHERE id = $1`, [document.id]);
    expect(await stored.files.findDocument(ann, id)).toBeUndefined();
    await documents.read(ann, file('kept'), { signal: never });
    expect(await stored.files.findDocument(ann, id)).toBeDefined();

    await chats.clear(ann);
    expect(await stored.files.findDocument(ann, id)).toBeUndefined();
    await rows(dataSource, `UPDATE objects SET created_at = now() - interval '2 hours' WHERE user_id = $1`, [
      ann,
    ]);
    await stored.files.sweep();
    expect(await kept()).toEqual([]);
    await expect(stored.files.read(found!.key)).rejects.toThrow();
  });

  it('keeps documents with a conversation, and others for a day', async () => {
    const { documents } = countingDocuments();
    const ann = await user();
    const [talked, old, recent] = await Promise.all(
      ['talked', 'old', 'recent'].map((text) => documents.read(ann, file(text), { signal: never })),
    );
    await documents.chats.open(ann, talked!);
    await exchange(documents.chats, talked!.id, await job(ann), 'Why?');
    await rows(
      dataSource,
      `UPDATE pdf_documents SET used_at = now() - interval '25 hours' WHERE id = ANY ($1)`,
      [[talked!.id, old!.id]],
    );
    await rows(dataSource, `UPDATE pdf_documents SET used_at = now() - interval '23 hours' WHERE id = $1`, [
      recent!.id,
    ]);
    await removeUnusedDocuments(dataSource);
    const left = await rows<{ id: string }>(dataSource, `SELECT id FROM pdf_documents WHERE user_id = $1`, [
      ann,
    ]);
    expect(left.map(({ id }) => id).sort()).toEqual([talked!.id, recent!.id].sort());
  });

  it('deletes documents with their user', async () => {
    const { documents } = countingDocuments();
    const ann = await user();
    const document = await documents.read(ann, file('mine'), { signal: never });
    await documents.chats.open(ann, document);
    await exchange(documents.chats, document.id, await job(ann), 'Why?');
    await rows(dataSource, `DELETE FROM users WHERE id = $1`, [ann]);
    expect(
      await row(dataSource, `SELECT FROM pdf_messages WHERE document_id = $1`, [document.id]),
    ).toBeUndefined();
  });
});

describe('conversations about documents', () => {
  it('are listed by unique names, the latest first', async () => {
    const { documents } = countingDocuments();
    const { chats } = documents;
    const ann = await user();
    for (const text of ['one', 'two', 'three']) {
      const { document } = await chats.open(ann, await documents.read(ann, file(text), { signal: never }));
      await exchange(chats, document.id, await job(ann), `About ${text}?`);
    }
    expect(
      (await chats.list(ann)).documents.map(({ fileName, lastMessage, messages, pages }) => ({
        fileName,
        lastMessage,
        messages,
        pages,
      })),
    ).toEqual([
      { fileName: 'report (3).pdf', lastMessage: 'Answer to About three?', messages: 2, pages: 1 },
      { fileName: 'report (2).pdf', lastMessage: 'Answer to About two?', messages: 2, pages: 1 },
      { fileName: 'report.pdf', lastMessage: 'Answer to About one?', messages: 2, pages: 1 },
    ]);
    expect(contents((await chats.find(ann, { name: 'report (2).pdf' })).messages)[0]).toBe('About two?');
    const again = file('two', 'renamed.pdf');
    const two = await documents.read(ann, again, { signal: never });
    const renamed = await chats.open(ann, two, { fileName: again.name });
    expect(renamed.document.name).toBe('renamed.pdf');
    expect(renamed.messages).toHaveLength(2);
    const other = await chats.open(ann, two, { fileName: again.name, conversation: 'new' });
    expect(other).toMatchObject({ document: { id: two.id, name: 'renamed (2).pdf' }, messages: [] });
  });

  it('get different names when they begin simultaneously', async () => {
    const { documents } = countingDocuments();
    const ann = await user();
    const read = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => documents.read(ann, file(text), { signal: never })),
    );
    const opened = await Promise.all(read.map((document) => documents.chats.open(ann, document)));
    expect(opened.map(({ document }) => document.name).sort()).toEqual([
      'report (2).pdf',
      'report (3).pdf',
      'report (4).pdf',
      'report.pdf',
    ]);
  });

  it('do not exist for a file that another tool read', async () => {
    const { documents } = countingDocuments();
    const ann = await user();
    await documents.read(ann, file('a resume'), { signal: never });
    expect((await documents.chats.list(ann)).documents).toEqual([]);
    const chat = await documents.chats.open(
      ann,
      await documents.read(ann, file('another'), { signal: never }),
    );
    expect(chat.document.name).toBe('report.pdf');
    await expect(documents.chats.find(await user(), { name: 'report.pdf' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('keep all questions in the order in which they were asked', async () => {
    const { documents } = countingDocuments();
    const { chats } = documents;
    const ann = await user();
    const document = await documents.read(ann, file('busy'), { signal: never });
    const { id } = document;
    await chats.open(ann, document);
    const jobs = [];
    for (let number = 1; number <= 6; number += 1) jobs.push({ question: `Q${number}`, id: await job(ann) });
    const returned = await Promise.all(
      jobs.reverse().map((asked) => exchange(chats, id, asked.id, asked.question)),
    );
    const { messages } = await chats.open(ann, document);
    expect(contents(messages)).toEqual(
      [1, 2, 3, 4, 5, 6].flatMap((number) => [`Q${number}`, `Answer to Q${number}`]),
    );
    expect(Math.max(...returned.map((answer) => answer.length))).toBe(12);
    expect(messages[1]).toMatchObject({
      role: 'assistant',
      engine: 'offline',
      citations: [{ page: 1, quote: 'words' }],
    });
  });

  it('store the client’s messages only if the server has none', async () => {
    const { documents } = countingDocuments();
    const ann = await user();
    const document = await documents.read(ann, file('seeded'), { signal: never });
    const { id } = document;
    await documents.chats.open(ann, document);
    await exchange(documents.chats, id, await job(ann), 'Second?', ['First?']);
    const messages = await exchange(documents.chats, id, await job(ann), 'Third?', ['Made up?']);
    expect(contents(messages)).toEqual([
      'First?',
      'Second?',
      'Answer to Second?',
      'Third?',
      'Answer to Third?',
    ]);
  });

  it('are cleared one by one or all, with text and results', async () => {
    const { documents } = countingDocuments();
    const { chats } = documents;
    const ann = await user();
    const opened = [];
    for (const text of ['x', 'y', 'z']) {
      const { document } = await chats.open(ann, await documents.read(ann, file(text), { signal: never }));
      const jobId = await job(ann);
      await exchange(chats, document.id, jobId, `About ${text}?`);
      await rows(
        dataSource,
        `UPDATE jobs SET status = 'succeeded', result = $2, finished_at = now() WHERE id = $1`,
        [jobId, { documentId: document.id }],
      );
      opened.push(document);
    }
    const resume = await documents.read(ann, file('resume'), { signal: never });
    const stranger = await user();
    await expect(chats.clear(stranger, 'report.pdf')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await chats.clear(stranger);
    await chats.clear(ann, 'report (2).pdf');
    expect((await chats.list(ann)).documents.map(({ fileName }) => fileName)).toEqual([
      'report (3).pdf',
      'report.pdf',
    ]);
    await expect(chats.clear(ann, 'report (2).pdf')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await chats.clear(ann);
    expect((await chats.list(ann)).documents).toEqual([]);
    const left = await rows<{ id: string }>(dataSource, `SELECT id FROM pdf_documents WHERE user_id = $1`, [
      ann,
    ]);
    expect(left.map(({ id }) => id)).toEqual([resume.id]);
    expect(await rows(dataSource, `SELECT FROM jobs WHERE user_id = $1`, [ann])).toEqual([]);
    await expect(exchange(chats, opened[0]!.id, await job(ann), 'Too late?')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
