import { Readable } from 'node:stream';
import yazl from 'yazl';
import { z } from 'zod';
import { queryRows, type Database } from '#libs/database/sql.js';
import type { ObjectStore } from '#libs/storage/object-store.js';
import { readUserRows, readUserTables } from './user-data.js';

const fileSchema = z.object({ key: z.string(), name: z.string(), type: z.string() });
const FILES_AT_ONCE = 200;

/**
 * All data of a user as a ZIP: one file of JSON lines for each table from which the deletion of the user deletes rows, and
 * the stored files. Secrets are left out. Rows and files are read as the ZIP is written, so its size costs no memory.
 */
export async function exportUser(database: Database, store: ObjectStore, userId: string): Promise<Readable> {
  const zip = new yazl.ZipFile();
  const lazily = (path: string, open: () => Promise<Readable>) =>
    zip.addReadStreamLazy(path, {}, (done) => {
      open().then(
        (stream) => done(null, stream),
        (error: unknown) => done(error, Readable.from([])),
      );
    });
  for (const table of await readUserTables(database)) {
    lazily(`data/${table.table}.jsonl`, async () => Readable.from(linesOf(database, table, userId)));
  }
  for (let after = ''; ;) {
    const files = await queryRows(
      database,
      fileSchema,
      `SELECT key, name, type FROM objects WHERE user_id = $1 AND removed_at IS NULL AND key > $2
       ORDER BY key LIMIT ${FILES_AT_ONCE}`,
      [userId, after],
    );
    for (const { key, name } of files) lazily(`files/${key}${endingOf(name)}`, () => store.open(key));
    const last = files.at(-1);
    if (!last || files.length < FILES_AT_ONCE) break;
    after = last.key;
  }
  zip.end();
  return Readable.from(zip.outputStream);
}

async function* linesOf(...[database, table, userId]: Parameters<typeof readUserRows>) {
  for await (const row of readUserRows(database, table, userId)) yield `${JSON.stringify(row)}\n`;
}

/** ".pdf" of a name that has such an ending. */
const endingOf = (name: string): string => /\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? '';
