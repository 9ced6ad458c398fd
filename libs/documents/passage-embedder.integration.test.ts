import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { PdfDocumentEntity } from '#libs/database/entities/pdf-documents.js';
import { vectorKey } from '#libs/local-engine/pdf-search/vectors.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { rows } from '../../test/support/sql.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { PassageEmbedder } from './passage-embedder.js';
import { PassageVectors } from './passage-vectors.js';

const never = new AbortController().signal;

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function storedDocument(): Promise<string> {
  const [userId, id] = [randomUUID(), randomUUID()];
  await rows(dataSource, `INSERT INTO users (id, name) VALUES ($1, 'Ada')`, [userId]);
  await rows(
    dataSource,
    `INSERT INTO pdf_documents (id, user_id, sha256, file_name, pages) VALUES ($1, $2, 'x', 'a.pdf', '[]')`,
    [id, userId],
  );
  return id;
}

/**
 * Creates an embedder with a fake model. `asked` lists the texts of each request.
 * @param seconds duration of a request, on a test clock
 */
function embedder(seconds = 0, onRequest: (number: number) => Promise<unknown> = async () => undefined) {
  const clock = new TestClock();
  const asked: string[][] = [];
  const run = async (
    _: string,
    { texts, question }: { texts: string[]; question?: string },
    signal: AbortSignal,
  ) => {
    signal.throwIfAborted();
    asked.push(texts);
    await onRequest(asked.length);
    await clock.advance(seconds * 1_000);
    return {
      vectors: texts.map((text) => Float32Array.of(text.length, 1, 0)),
      closeness: texts.map((text) => (question === undefined ? 0 : 1 / text.length)),
    };
  };
  const vectors = new PassageVectors(dataSource);
  const models = { run } as unknown as Pick<LocalModels, 'run'>;
  return { asked, vectors, embedder: new PassageEmbedder({ models, vectors, clock }) };
}

const texts = (count: number) => Array.from({ length: count }, (_, at) => `Passage ${at}.`);
const ignore = () => undefined;

describe('the passages of a document', () => {
  it('are embedded once, with progress, and stored', async () => {
    const id = await storedDocument();
    const first = embedder();
    const progress: string[] = [];
    const answer = await first.embedder.embed(
      id,
      { question: 'Why?', passages: texts(20) },
      never,
      (read, of) => progress.push(`${read}/${of}`),
    );
    expect(progress).toEqual(['0/20', '4/20', '8/20', '12/20', '16/20']);
    expect(answer.unread).toBe(0);
    expect(answer.meaning.vectors.size).toBe(20);
    const second = embedder();
    const again = await second.embedder.embed(id, { question: 'How?', passages: texts(20) }, never, ignore);
    expect(second.asked).toEqual([['How?']]);
    expect(again.meaning.vectors.get(vectorKey('Passage 3.'))).toEqual(
      answer.meaning.vectors.get(vectorKey('Passage 3.')),
    );
  });

  it('are embedded in the background if they are many', async () => {
    const id = await storedDocument();
    const { embedder: slow, vectors } = embedder(1);
    const passages = texts(100);
    const { meaning, unread } = await slow.embed(id, { question: 'Why?', passages }, never, ignore);
    // A second for the question, and two for passages.
    expect([meaning.vectors.size, unread]).toEqual([8, 92]);
    expect([...meaning.vectors.keys()]).toEqual(passages.slice(0, 8).map((text) => vectorKey(text)));
    await slow.idle();
    expect((await vectors.find(id)).size).toBe(100);
  });

  it('are not embedded after the document is deleted, and deleted with it', async () => {
    const id = await storedDocument();
    const { embedder: slow, asked } = embedder(9, async (number) => {
      if (number === 5) await dataSource.getRepository(PdfDocumentEntity).delete({ id });
    });
    await slow.embed(id, { question: 'Why?', passages: texts(100) }, never, ignore);
    await slow.idle();
    expect(asked).toHaveLength(5);
    expect(await rows(dataSource, `SELECT FROM pdf_passage_vectors WHERE document_id = $1`, [id])).toEqual(
      [],
    );
  });

  it('are not embedded after the program stops', async () => {
    const id = await storedDocument();
    const { embedder: slow, vectors } = embedder(9);
    await slow.embed(id, { question: 'Why?', passages: texts(400) }, never, ignore);
    await slow.onApplicationShutdown();
    expect((await vectors.find(id)).size).toBeLessThan(40);
  });

  it('are left to the next question if a job is cancelled', async () => {
    const id = await storedDocument();
    const { embedder: one } = embedder();
    const controller = new AbortController();
    const cancelled = one.embed(id, { question: 'Why?', passages: texts(40) }, controller.signal, (read) => {
      if (read === 16) controller.abort(new Error('Cancelled.'));
    });
    await expect(cancelled).rejects.toThrow('Cancelled.');
    expect((await new PassageVectors(dataSource).find(id)).size).toBe(16);
  });

  it('are compared with the question without storing anything', async () => {
    const { embedder: one, asked } = embedder();
    const compared = await one.compare({ question: 'Why?', passages: ['Ten, or so.', 'Four'] }, never);
    expect([...compared]).toEqual([
      ['Ten, or so.', 1 / 11],
      ['Four', 1 / 4],
    ]);
    expect(asked).toEqual([['Ten, or so.', 'Four']]);
  });
});
