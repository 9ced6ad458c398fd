import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import type { Copied } from '#libs/storage/copy-objects.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import type { ObjectStore } from '#libs/storage/object-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { rows } from '../../test/support/sql.ts';
import { startS3, type TestS3 } from '../../test/support/s3.js';
import { runCli } from './program.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const folder = mkdtempSync(join(tmpdir(), 'pressroom-copy-'));
let database: TestDatabase;
let dataSource: DataSource;
let s3: TestS3;
let target: ObjectStore;
let files: StoredFiles;

beforeAll(async () => {
  [database, s3] = await Promise.all([testDatabase(), startS3()]);
  dataSource = await createDataSource({ url: database.url }).initialize();
  await dataSource.query(`INSERT INTO users (id, name, email) VALUES ('ada', 'Ada', 'ada@example.com')`);
  files = new StoredFiles(
    dataSource,
    await createObjectStore({ kind: 'files', directory: join(folder, 'objects') }),
  );
  target = await createObjectStore({ ...s3.config, bucket: 'moved-here' });
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const keep = (text: string) =>
  files.add({
    userId: 'ada',
    kind: 'image',
    type: 'image/png',
    name: 'picture.png',
    content: Buffer.from(text),
  });
const pathOf = (key: string) => join(folder, 'objects', key.slice(0, 2), key.slice(2, 4), key);

async function copy(path = folder, withStore = true, command = 'import') {
  let out = '';
  let errors = '';
  const status = await runCli(['files', command, path, '--json'], {
    environment: {
      DATABASE_URL: database.url,
      ...(withStore && {
        S3_ENDPOINT: s3.config.endpoint,
        S3_BUCKET: 'moved-here',
        S3_ACCESS_KEY: s3.config.accessKey,
        S3_SECRET_KEY: s3.config.secretKey,
      }),
    },
    write: (text) => (out += text),
    writeError: (text) => (errors += text),
  });
  return { status, errors, outcome: out === '' ? null : (JSON.parse(out) as Copied) };
}

describe('files', () => {
  it('imports every file into a new bucket, and continues an earlier import', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, (_, i) => keep(`picture ${i}`)));
    expect((await copy()).outcome).toEqual({ copied: 20, present: 0, missing: [], damaged: [] });
    expect(String(await target.read(keys[7]!))).toBe('picture 7');
    const later = await keep('a later picture');
    expect(await copy()).toMatchObject({ status: 0, outcome: { copied: 1, present: 20 } });
    expect(String(await target.read(later))).toBe('a later picture');
  });

  it('names missing and damaged files, copies the rest, and fails', async () => {
    const [missing, damaged, whole] = [await keep('missing'), await keep('damaged'), await keep('whole')];
    rmSync(pathOf(missing));
    writeFileSync(pathOf(damaged), 'broken!');
    const { status, errors, outcome } = await copy();
    expect(outcome).toMatchObject({ copied: 1, missing: [missing], damaged: [damaged] });
    expect({ status, errors }).toEqual({
      status: 1,
      errors: '2 files could not be copied; all other files are copied.\n',
    });
    expect(await target.stat(whole)).toEqual({ bytes: 5 });
    expect(await target.stat(damaged)).toBeNull();
  });

  it('exports the bucket into a folder that can be imported again', async () => {
    const backup = join(folder, 'backup');
    const { status, outcome } = await copy(backup, true, 'export');
    // The bucket lacks the missing and the damaged file of the test before.
    expect(status).toBe(1);
    expect(outcome).toMatchObject({ copied: 22, present: 0, damaged: [] });
    expect((await copy(backup, true, 'export')).outcome).toMatchObject({ copied: 0, present: 22 });
    expect((await copy(backup)).outcome).toMatchObject({ copied: 0, present: 22 });
  });

  it('are in the audit log', async () => {
    const found = await rows(dataSource, `SELECT action, target FROM audit_log ORDER BY id DESC LIMIT 2`);
    expect(found).toEqual([
      { action: 'files.import', target: join(folder, 'backup') },
      { action: 'files.export', target: join(folder, 'backup') },
    ]);
  });

  it('require an existing folder and a configured store', async () => {
    expect(await copy('/no/such/folder')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('There is no folder /no/such/folder/objects'),
    });
    expect(await copy(folder, false)).toMatchObject({
      status: 1,
      errors: expect.stringContaining('Set S3_ENDPOINT'),
    });
  });
});
