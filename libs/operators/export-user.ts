import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import { z } from 'zod';
import { queryRows, type Database } from '#libs/database/sql.js';
import { ObjectMissing, type ObjectStore } from '#libs/storage/object-store.js';
import { readUserRows, readUserTables, type UserTable } from './user-data.js';

interface ZipEntry {
  path: string;
  content: Readable;
}

/** Lists files that were deleted after they were listed. */
const MISSING = 'missing-files.txt';
const FILES_AT_ONCE = 200;

/**
 * All data of a user as a ZIP: one file of JSON lines for each table from which the deletion of the user deletes rows, and
 * the stored files. Secrets are left out. Rows and files are read as the ZIP is written, so its size costs no memory.
 * An error while it is written destroys the ZIP.
 */
export async function exportUser(database: Database, store: ObjectStore, userId: string): Promise<Readable> {
  const tables = await readUserTables(database);
  return zipOf(entriesOf(database, store, userId, tables));
}

async function* entriesOf(
  database: Database,
  store: ObjectStore,
  userId: string,
  tables: UserTable[],
): AsyncGenerator<ZipEntry> {
  for (const table of tables)
    yield { path: `data/${table.table}.jsonl`, content: Readable.from(linesOf(database, table, userId)) };
  const missing: string[] = [];
  for await (const { key, name } of filesOf(database, userId)) {
    const path = `files/${key}${endingOf(name)}`;
    const content = await openIfStored(store, key);
    if (content) yield { path, content };
    else missing.push(`${path}\n`);
  }
  if (missing.length > 0) yield { path: MISSING, content: Readable.from(missing) };
}

/** Writes files one after another into a ZIP. An error of a file is an error of the ZIP, whose end closes the open file. */
function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  // Without a listener, an error before the caller begins to read would end the process.
  output.on('error', () => undefined);
  let content: Readable | undefined;
  output.once('close', () => content?.destroy());
  const writeAll = async () => {
    for await (const entry of entries) {
      content = entry.content;
      const end = finished(content);
      if (output.destroyed) content.destroy();
      else zip.addReadStream(content, entry.path);
      await end;
    }
    zip.end();
  };
  writeAll().catch((error: Error) => output.destroy(error));
  return output;
}

const fileSchema = z.object({ key: z.string(), name: z.string() });

async function* filesOf(database: Database, userId: string): AsyncGenerator<z.infer<typeof fileSchema>> {
  for (let after = ''; ;) {
    const files = await queryRows(
      database,
      fileSchema,
      `SELECT key, name FROM objects
       WHERE user_id = $1 AND stored_at IS NOT NULL AND removed_at IS NULL AND key > $2
       ORDER BY key LIMIT ${FILES_AT_ONCE}`,
      [userId, after],
    );
    yield* files;
    const last = files.at(-1);
    if (!last || files.length < FILES_AT_ONCE) return;
    after = last.key;
  }
}

/** @throws StoreError */
async function openIfStored(store: ObjectStore, key: string): Promise<Readable | undefined> {
  try {
    return await store.open(key);
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined;
    throw error;
  }
}

async function* linesOf(...[database, table, userId]: Parameters<typeof readUserRows>) {
  for await (const row of readUserRows(database, table, userId)) yield `${JSON.stringify(row)}\n`;
}

/** ".pdf" of a name that has such an ending. */
const endingOf = (name: string): string => /\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? '';
