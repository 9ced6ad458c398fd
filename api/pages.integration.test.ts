import { beforeAll, describe, expect, it } from '@jest/globals';
import { PAGE_BYTES } from '#libs/contract/pagination.js';
import type { PdfChatHistory } from '#libs/contract/pdf-chats.js';
import { STRENGTH } from '../test/support/attack.ts';
import type { SignedInUser } from '../test/support/in-process-product.ts';
import { useInProcessProduct } from '../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../test/support/time-limits.ts';

allowTimeForPrograms();

/** Number and length of texts: together many times larger than the size limit of a page. */
const ENTRIES = 90 * STRENGTH;
const TEXT = 'x'.repeat(100_000);

const product = useInProcessProduct();
let ada: SignedInUser;

beforeAll(async () => {
  ada = await product.signUp('Ada', 'premium');
});

interface Page {
  entries: unknown[];
  cursor: string | null;
  bytes: number;
}

async function readPage(
  path: string,
  list: string,
  cursorName: string,
  cursor: string | null,
): Promise<Page> {
  const address = new URL(path, product.origin);
  if (cursor !== null) address.searchParams.set('cursor', cursor);
  const answer = await ada.call(`${address.pathname}${address.search}`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const body = JSON.parse(text) as Record<string, unknown>;
  return { entries: body[list] as unknown[], cursor: body[cursorName] as string | null, bytes: text.length };
}

/** Inserts ENTRIES rows. In the statement, `number` counts from 1. */
const insert = (statement: string, parameters: unknown[]) =>
  product.sql(`${statement} FROM generate_series(1, ${ENTRIES}) AS number`, parameters);

async function addDocument(): Promise<string> {
  const [document] = await product.sql(
    `INSERT INTO pdf_documents (id, user_id, sha256, file_name, chat_name, pages)
     VALUES (gen_random_uuid(), $1, 'a', 'long.pdf', 'long.pdf', '[]') RETURNING id AS key`,
    [ada.id],
  );
  return document!.key;
}

describe('a page of long texts', () => {
  it.each([
    {
      list: 'creations',
      path: '/api/user/get-user-creations?limit=500',
      add: () =>
        insert(
          `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
           SELECT gen_random_uuid(), $1, 'generate-article', 'article', 'About ' || number, $2, 'offline'`,
          [ada.id, TEXT],
        ),
    },
    {
      list: 'creations',
      path: '/api/user/get-user-creations?limit=500&type=title',
      add: () =>
        insert(
          `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, settings)
           SELECT gen_random_uuid(), $1, 'generate-blog-title', 'title', 'About ' || number, 'Short', 'offline',
             jsonb_build_object('sources', $2::text)`,
          [ada.id, TEXT],
        ),
    },
    {
      list: 'jobs',
      path: '/api/jobs?limit=100',
      add: () =>
        insert(
          `INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, result, finished_at)
           SELECT gen_random_uuid(), $1, 'generate-article', 'text', 'T' || number, 'standard', 'succeeded',
             jsonb_build_object('content', $2::text), now()`,
          [ada.id, TEXT],
        ),
    },
    {
      list: 'creations',
      path: '/api/user/get-published-creations?limit=500',
      add: () =>
        insert(
          `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, published)
           SELECT gen_random_uuid(), $1, 'generate-images', 'image', $2, '/files/x', 'offline', true`,
          [ada.id, TEXT],
        ),
    },
    {
      list: 'chatHistory',
      path: '/api/ai/pdf-chat-history?file_name=long.pdf',
      cursorName: 'earlierCursor',
      add: async () =>
        insert(
          `INSERT INTO pdf_messages (document_id, role, content, asked_at)
           SELECT $1::uuid, 'user', number || $2, now()`,
          [await addDocument(), TEXT],
        ),
    },
  ])('of $path ends early, and its cursor continues', async ({ list, path, cursorName, add }) => {
    await add();
    let cursor: string | null = null;
    let read = 0;
    do {
      const page: Page = await readPage(path, list, cursorName ?? 'nextCursor', cursor);
      expect(page.bytes).toBeLessThan(PAGE_BYTES + 2 * TEXT.length);
      expect(page.entries.length).toBeGreaterThan(0);
      read += page.entries.length;
      cursor = page.cursor;
    } while (cursor !== null);
    expect(read).toBe(ENTRIES);
  });

  it('of chats has at most a hundred, and its cursor continues', async () => {
    const bob = await product.signUp('Bob');
    await product.sql(
      `WITH document AS (
         INSERT INTO pdf_documents (id, user_id, sha256, file_name, chat_name, pages)
         SELECT gen_random_uuid(), $1, number, 'd', 'd' || number, '[]' FROM generate_series(1, 120) AS number
         RETURNING id)
       INSERT INTO pdf_messages (document_id, role, content, asked_at) SELECT id, 'user', 'x', now() FROM document`,
      [bob.id],
    );
    const read = async (query: string) =>
      (await (await bob.call(`/api/ai/pdf-chat-history${query}`)).json()) as PdfChatHistory;
    const first = await read('');
    const second = await read(`?cursor=${first.nextCursor}`);
    expect([first.documents.length, second.documents.length, second.nextCursor]).toEqual([100, 20, null]);
    expect(new Set([...first.files, ...second.files]).size).toBe(120);
    expect((await bob.call('/api/ai/pdf-chat-history?cursor=nonsense')).status).toBe(400);
    expect((await bob.call(`/api/ai/pdf-chat-history?file_name=d1&cursor=${first.nextCursor}`)).status).toBe(
      400,
    );
  });
});
