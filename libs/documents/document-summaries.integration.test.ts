import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { DocumentSummary } from '#libs/contract/notebooks.js';
import { createDataSource } from '#libs/database/data-source.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { rows } from '../../test/support/sql.ts';
import { DocumentSummaries } from './document-summaries.js';

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

const summaryOf = (text: string, engine: DocumentSummary['engine']): DocumentSummary => ({
  text,
  keyPoints: ['It’s a "point".'],
  questions: [],
  engine,
});

it('keeps the summary of an AI service when a job without one ends later', async () => {
  const [userId, id] = [randomUUID(), randomUUID()];
  await rows(dataSource, `INSERT INTO users (id, name) VALUES ($1, 'Somebody')`, [userId]);
  await rows(
    dataSource,
    `INSERT INTO pdf_documents (id, user_id, sha256, file_name, pages) VALUES ($1, $2, $3, 'a.pdf', '["A"]')`,
    [id, userId, 'a'.repeat(64)],
  );
  const summaries = new DocumentSummaries(dataSource);
  const [rules, service] = [summaryOf('Opening', 'offline'), summaryOf('Summary', 'openai')];
  for (const [made, stored] of [
    [rules, rules],
    [service, service],
    [rules, service],
  ] as const) {
    await dataSource.transaction((transaction) => summaries.store(transaction, id, made));
    expect((await summaries.find(userId, id)).summary).toEqual(stored);
  }
  await expect(summaries.store(dataSource.manager, randomUUID(), rules)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
