import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Creations } from '#libs/creations/creations.service.js';
import { Searches } from '#libs/creations/searches.js';
import { Users } from '#libs/accounts/users.js';
import type { Config } from '#libs/config/environment.js';
import { createDataSource } from '#libs/database/data-source.js';
import { applyFunctions, outdatedFunctions } from '#libs/database/functions/functions.js';
import { AuthSessionEntity } from '#libs/database/entities/local-accounts.js';
import { CreationLikeEntity } from '#libs/database/entities/creations.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { migrate } from '#libs/database/migrate.js';
import { migrations } from '#libs/database/migrations/index.js';
import { createConcurrently } from '#libs/database/migrations/migration.js';
import { PdfChats } from '#libs/documents/pdf-chats.js';
import { AnswerCache } from '#libs/jobs/answer-cache.js';
import { readCredits } from '#libs/billing/credits.js';
import type { CreationEvents } from '#libs/creations/creation-events.js';
import type { JobEvents } from '#libs/jobs/job-events.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { tools } from '#libs/tools/catalogue.js';
import { FileStore } from '#libs/storage/file-store.js';
import { createKey, pathOf } from '#libs/storage/object-key.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { query } from '../../scripts/stack/query.ts';
import { findSchemaDifferences } from '../support/find-schema-differences.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

const USER = 'user_ada';
const job = { done: randomUUID(), waiting: randomUUID(), failed: randomUUID(), answer: randomUUID() };
/** The job of a deleted creation, whose first attempt failed. */
const deleted = { done: randomUUID(), failed: randomUUID() };
const creation = { article: randomUUID(), image: randomUUID() };
const document = randomUUID();
const [image, thumbnail, pdf] = [createKey(), createKey(), createKey()];
const bytes = Buffer.from('bytes of a picture');

/** Rows of version 0.1, with its names of tables and columns. */
const numberOf = (migration: string) => Number(migration.slice(-13)) - 1_700_000_000_000;

const STORED = `
  INSERT INTO people (id, name, email, plan) VALUES ('${USER}', 'Ada', 'ada@example.org', 'free');
  INSERT INTO auth_users (id, name, email, "emailVerified") VALUES ('${USER}', 'Ada', 'ada@example.org', true);
  INSERT INTO auth_sessions (id, "expiresAt", token, "updatedAt", "userId")
    VALUES ('session', now() + interval '1 day', 'token', now(), '${USER}');
  INSERT INTO admin_sessions (token_hash, person_id, expires_at) VALUES ('hash', '${USER}', now() + interval '1 hour');
  INSERT INTO credit_balances (person_id, month, granted, balance)
    VALUES ('${USER}', date_trunc('month', now() AT TIME ZONE 'UTC'), 30, 28);
  INSERT INTO credit_entries (person_id, month, kind, amount, note)
    VALUES ('${USER}', date_trunc('month', now() AT TIME ZONE 'UTC'), 'grant', 30, 'monthly');
  INSERT INTO credit_entries (person_id, month, kind, amount, job_id)
    SELECT '${USER}', date_trunc('month', now() AT TIME ZONE 'UTC'), 'charge', -1, id
    FROM unnest(ARRAY['${job.done}', '${job.waiting}']::uuid[]) AS charged(id);
  INSERT INTO jobs (id, person_id, tool, queue, title, input, priority, status, result, credits, charge_month,
    finished_at, losses, lane, turn)
    VALUES ('${job.done}', '${USER}', 'generate-article', 'text', 'Rivers', '{"prompt":"Rivers","length":800}', 'standard',
      'succeeded', '{"content":"# Rivers","engine":"offline"}', 1, date_trunc('month', now() AT TIME ZONE 'UTC'), now(), 2, 2, 7);
  INSERT INTO jobs (id, person_id, tool, queue, title, input, priority, credits, charge_month, lane, turn, enqueued_at)
    VALUES ('${job.waiting}', '${USER}', 'generate-article', 'text', 'Lakes', '{"prompt":"Lakes","length":800}', 'standard',
      1, date_trunc('month', now() AT TIME ZONE 'UTC'), 2, 8, now());
  INSERT INTO jobs (id, person_id, tool, queue, title, input, priority, status, error_code, error_message, finished_at)
    VALUES ('${job.failed}', '${USER}', 'generate-article', 'text', 'Seas', '{"prompt":"Seas","length":800}', 'standard',
      'failed', 'PROVIDER_FAILED', 'The provider failed.', now());
  INSERT INTO jobs (id, person_id, tool, queue, title, input, priority, status, result, finished_at, retry_of)
    VALUES ('${deleted.failed}', '${USER}', 'generate-article', 'text', 'Secrets', '{"prompt":"Secrets"}', 'standard', 'failed',
        NULL, now(), NULL),
      ('${deleted.done}', '${USER}', 'generate-article', 'text', 'Secrets', NULL, 'standard', 'succeeded',
        '{"content":"Secrets","creationId":"${randomUUID()}"}', now(), '${deleted.failed}'),
      ('${job.answer}', '${USER}', 'chat-with-pdf', 'pdf', 'Manual.pdf: What is this?', '{"message":"What is this?"}', 'premium',
        'succeeded', '{"content":"A manual.","documentId":"${document}","chatHistory":[{"content":"Said before"}]}', now(), NULL);
  INSERT INTO creations (id, person_id, job_id, tool, type, prompt, content, engine, published)
    VALUES ('${creation.article}', '${USER}', '${job.done}', 'generate-article', 'article', 'Rivers', '# Rivers', 'offline', false),
      ('${creation.image}', '${USER}', NULL, 'generate-image', 'image', 'A fox', '${pathOf(image)}', 'offline', true);
  INSERT INTO creation_likes (creation_id, person_id) VALUES ('${creation.image}', '${USER}');
  INSERT INTO objects (key, person_id, kind, type, bytes, sha256, name, creation_id, stored_at)
    VALUES ('${image}', '${USER}', 'image', 'image/png', ${bytes.length}, '${createHash('sha256').update(bytes).digest('hex')}', '',
        '${creation.image}', now()),
      ('${thumbnail}', '${USER}', 'thumbnail', 'image/webp', 1, 'x', '', '${creation.image}', now()),
      ('${pdf}', '${USER}', 'document', 'application/pdf', 1, 'x', 'Manual.pdf', NULL, now());
  INSERT INTO pdf_documents (id, person_id, sha256, file_name, chat_name, pages, file_key)
    VALUES ('${document}', '${USER}', 'x', 'Manual.pdf', 'Manual.pdf', '["The first page."]', '${pdf}');
  INSERT INTO pdf_messages (document_id, role, content, asked_at)
    VALUES ('${document}', 'user', 'What is this?', now()), ('${document}', 'assistant', 'A manual.', now());
  INSERT INTO first_answers (person_id, tool, key, answer) VALUES ('${USER}', 'calculate-ats-score', 'key', '{"score":70}');
  INSERT INTO worker_slots (worker_id, queue, slots) VALUES ('worker', 'text', 4);
  INSERT INTO paused_queues (queue, reason) VALUES ('image', 'upgrade');
  INSERT INTO clerk_users (person_id, told_usage) VALUES ('${USER}', 2);
`;

describe('A database of version 0.1', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-upgrade-'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = process.env.TEST_POSTGRES_URL!;
  const url = new URL(server);
  url.pathname = name;
  let dataSource: DataSource;
  let files: StoredFiles;

  beforeAll(async () => {
    await query(server, `CREATE DATABASE ${name}`);
    const earlier = Object.values(migrations).filter(({ name }) => numberOf(name) < 12);
    const before = await new DataSource({
      type: 'postgres',
      url: url.href,
      migrations: earlier,
      migrationsTableName: 'migrations',
      applicationName: 'pressroom-worker',
    }).initialize();
    await before.runMigrations({ transaction: 'each' });
    await before.query(STORED);

    // A program of that version still runs.
    await expect(migrate(url.href)).rejects.toThrow(/stop it first \(still connected: pressroom-worker\)/);
    expect(await before.query('SELECT id FROM people')).toHaveLength(1);
    await before.destroy();
    // PostgreSQL ends a connection a moment after its client did.
    await until('the program to end', async () => {
      const connected = `SELECT FROM pg_stat_activity WHERE datname = $1`;
      return (await query(server, connected, [name])).rows.length === 0;
    });

    // As two machines do that start at the same time.
    await Promise.all([migrate(url.href), migrate(url.href)]);
    dataSource = await createDataSource({ url: url.href }).initialize();
    const store = new FileStore(folder);
    await store.put(image, bytes);
    files = new StoredFiles(dataSource, store);
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the schema of the entities', async () => {
    expect(await findSchemaDifferences(dataSource)).toEqual([]);
    expect(
      await dataSource.query(
        `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid
         UNION ALL SELECT conname FROM pg_constraint WHERE NOT convalidated`,
      ),
    ).toEqual([]);
  });

  it('keeps users, their sessions and their credits', async () => {
    const users = new Users(dataSource, 'local');
    expect(await users.findUser('ada@example.org')).toMatchObject({ id: USER, name: 'Ada', plan: 'free' });
    expect(await dataSource.getRepository(AuthSessionEntity).find()).toMatchObject([
      { token: 'token', userId: USER },
    ]);
    expect(await readCredits(dataSource, USER, 'free')).toMatchObject({ used: 2, remaining: 28 });
  });

  it('keeps jobs, with their positions in the queue and lost attempts', async () => {
    const reader = new JobReader(dataSource, new QueuePositions(dataSource));
    const { jobs } = await reader.list(USER, { limit: 10 });
    const texts = jobs.filter(({ title }) => title !== tools['generate-article'].title);
    expect(jobs.length - texts.length).toBe(2);
    expect(new Map(texts.map(({ title, status }) => [title, status]))).toEqual(
      new Map([
        ['Rivers', 'succeeded'],
        ['Lakes', 'queued'],
        ['Seas', 'failed'],
        ['Manual.pdf: What is this?', 'succeeded'],
      ]),
    );
    expect(await reader.get(USER, job.waiting)).toMatchObject({ position: 1, credits: 1 });
    expect(await reader.get(USER, job.failed)).toMatchObject({ error: { code: 'PROVIDER_FAILED' } });
    expect(await dataSource.getRepository(JobEntity).findOneBy({ id: job.done })).toMatchObject({
      lostAttempts: 2,
      virtualStart: 7,
    });
  });

  it('deletes data of deleted creations, and repeated copies of conversations', async () => {
    const found = await dataSource.query<{ text: string }[]>('SELECT jobs::text AS text FROM jobs');
    expect(found.filter(({ text }) => /Secrets|Said before/.test(text))).toEqual([]);
    const reader = new JobReader(dataSource, new QueuePositions(dataSource));
    expect(await reader.get(USER, deleted.done)).toMatchObject({ result: null, resultDeleted: true });
    expect(await reader.get(USER, job.answer)).toMatchObject({
      result: { content: 'A manual.', chatHistory: [{ content: 'What is this?' }, { content: 'A manual.' }] },
    });
  });

  it('has the functions of a new database', async () => {
    expect(await outdatedFunctions(dataSource)).toEqual([]);
  });

  it('keeps creations on the dashboard, with their files and likes', async () => {
    const creations = new Creations(
      dataSource,
      new Searches(dataSource),
      {} as CreationEvents,
      {} as JobEvents,
      {
        publicUrl: 'http://localhost:3000',
      } as Config,
    );
    const list = (search: string) =>
      creations.ofUser(USER, { limit: 10, search, sort: 'newest' }, new AbortController().signal);
    const { creations: listed, counts } = await list('');
    expect(counts).toEqual({ article: 1, image: 1 });
    expect(listed.find(({ id }) => id === creation.image)).toMatchObject({
      prompt: 'A fox',
      published: true,
      likes: [USER],
      content: `http://localhost:3000${pathOf(image)}`,
      thumbnail: `http://localhost:3000${pathOf(thumbnail)}`,
    });
    expect(await dataSource.getRepository(CreationLikeEntity).countBy({ userId: USER })).toBe(1);
    expect(await files.findPublished(creation.image, 'image')).toMatchObject({ key: image });
    expect(await files.read(image)).toEqual(bytes);
    expect((await list('FOX')).creations.map(({ id }) => id)).toContain(creation.image);
  });

  it('keeps documents, their conversations and cached answers', async () => {
    const chats = new PdfChats(dataSource);
    expect((await chats.list(USER)).documents).toMatchObject([
      { fileName: 'Manual.pdf', messages: 2, hasFile: true },
    ]);
    expect(await chats.find(USER, { name: 'Manual.pdf' })).toMatchObject({
      document: { id: document, pages: ['The first page.'] },
      messages: [{ content: 'What is this?' }, { content: 'A manual.' }],
    });
    expect(await files.findDocument(USER, document)).toMatchObject({ key: pdf });
    // A program of the previous version adds a message, and starts a conversation.
    await dataSource.query(
      `INSERT INTO pdf_messages (document_id, role, content, asked_at) VALUES ($1, 'user', 'And this?', now())`,
      [document],
    );
    await dataSource.query(
      `INSERT INTO pdf_documents (id, user_id, sha256, file_name, chat_name, pages)
       VALUES (gen_random_uuid(), $1, 'y', 'Letter.pdf', 'Letter.pdf', '["A letter."]')`,
      [USER],
    );
    await dataSource.query(
      `INSERT INTO pdf_messages (document_id, role, content, asked_at)
       SELECT id, 'user', 'Who writes?', now() FROM pdf_documents WHERE chat_name = 'Letter.pdf'`,
    );
    expect((await chats.list(USER)).documents).toMatchObject([
      { fileName: 'Letter.pdf', messages: 1 },
      { fileName: 'Manual.pdf', messages: 3 },
    ]);
    const answers = new AnswerCache(dataSource);
    const key = { userId: USER, tool: 'calculate-ats-score', key: 'key' };
    expect(await answers.once(key, randomUUID(), () => Promise.reject(new Error('It is cached.')))).toEqual({
      score: 70,
    });
  });
});

describe('A database of migration 58 in use', () => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = process.env.TEST_POSTGRES_URL!;
  const url = new URL(server);
  url.pathname = name;
  let before: DataSource;

  beforeAll(async () => {
    await query(server, `CREATE DATABASE ${name}`);
    before = await new DataSource({
      type: 'postgres',
      url: url.href,
      migrations: Object.values(migrations).filter((migration) => numberOf(migration.name) < 59),
      migrationsTableName: 'migrations',
    }).initialize();
    await before.runMigrations({ transaction: 'each' });
    await applyFunctions(before);
    await before.query(`INSERT INTO users (id, name) VALUES ($1, 'Ada')`, [USER]);
  });
  afterAll(async () => {
    await before.destroy();
    await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });

  it('has the time limits of the pool after an index was made without them', async () => {
    const dataSource = await createDataSource({ url: url.href, poolSize: 1 }).initialize();
    const runner = dataSource.createQueryRunner();
    await createConcurrently(runner, { users_test: 'users (name)' });
    await runner.query('DROP INDEX users_test');
    expect([await runner.query('SHOW statement_timeout'), await runner.query('SHOW lock_timeout')]).toEqual([
      [{ statement_timeout: '30s' }],
      [{ lock_timeout: '10s' }],
    ]);
    await runner.release();
    await dataSource.destroy();
  });

  /** Adds, starts and ends jobs as a program of that version, by statements that its connection has prepared. */
  async function work(isOver: () => boolean): Promise<string[]> {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    const ids: string[] = [];
    try {
      while (!isOver()) {
        const id = randomUUID();
        const run = (statement: string, text: string) =>
          client.query({ name: statement, text, values: [id] });
        // As `submit_jobs` does, which locks the user's row first.
        await client.query('BEGIN');
        await client.query(`SELECT FROM users WHERE id = '${USER}' FOR NO KEY UPDATE`);
        await run(
          'add',
          `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, idempotency_key)
           VALUES ($1, '${USER}', 'generate-article', 'text', 'Rivers', '{}', 'standard', $1::uuid::text)`,
        );
        await client.query('COMMIT');
        await run(
          'start',
          `UPDATE jobs SET status = 'running', attempts = 1, lease_until = now() WHERE id = $1 RETURNING id, status`,
        );
        await run(
          'end',
          `WITH ended AS (UPDATE jobs SET status = 'succeeded', result = '{}', lease_until = NULL, finished_at = now()
             WHERE id = $1 RETURNING id, user_id)
           INSERT INTO creations (id, user_id, job_id, tool, type, prompt, content, engine)
           SELECT gen_random_uuid(), user_id, id, 'generate-article', 'article', 'Rivers', 'x', 'offline' FROM ended`,
        );
        ids.push(id);
      }
    } finally {
      await client.end();
    }
    return ids;
  }

  it('partitions its jobs without losing one, and without an error of the programs', async () => {
    let isOver = false;
    const working = Promise.all([work(() => isOver), work(() => isOver)]);
    const stored = async () =>
      (await before.query<{ id: string }[]>(`SELECT id FROM jobs WHERE status = 'succeeded'`)).length;
    await until('some jobs', async () => (await stored()) > 20);
    await migrate(url.href);
    const inFirst = await stored();
    await until('more jobs', async () => (await stored()) > inFirst + 20);
    isOver = true;
    const ids = (await working).flat();
    const jobs = await before.query<{ id: string; attempts: number; log: number }[]>(
      `SELECT jobs.id, attempts, jsonb_array_length(attempt_log) AS log FROM jobs JOIN creations ON job_id = jobs.id
       WHERE status = 'succeeded'`,
    );
    expect(jobs.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(jobs.filter(({ attempts, log }) => attempts !== 1 || log !== 1)).toEqual([]);
    const partitions = await before.query<{ rows: boolean }[]>(
      `SELECT DISTINCT tableoid::regclass::text ~ '^jobs_\\d{4}_\\d\\d$' AS rows FROM jobs`,
    );
    expect(partitions).toEqual([{ rows: true }]);
    const statistics = `SELECT FROM pg_stats WHERE tablename = 'jobs' AND inherited AND attname = 'status'`;
    expect(await before.query(statistics)).toHaveLength(1);
    // A program of that version deletes a job, and relies on what followed from it.
    await before.query(`DELETE FROM jobs WHERE id = $1`, [ids[0]]);
    expect(await before.query(`SELECT FROM creations WHERE job_id IS NULL`)).toHaveLength(1);
  });
});
