import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { addAuditEntry, type AuditEntry } from '#libs/audit/audit-log.js';
import { readOperatorConfig, readStorageConfig } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { createDataSource } from '#libs/database/data-source.js';
import { copyObjects, type Copied } from '#libs/storage/copy-objects.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import type { ObjectStore } from '#libs/storage/object-store.js';
import { actOf, asJson, write, type Output, type Terminal } from './command-line.js';

const folder = () =>
  new Argument('<folder>', 'a data folder (DATA_DIR); its subfolder objects has the files');

export function fileCommands(program: Command, terminal: Terminal): void {
  const files = program
    .command('files')
    .description('copies the files of all users to and from the object store');
  const copying = (name: string, description: string, isImport: boolean) =>
    files
      .command(name)
      .description(description)
      .addArgument(folder())
      .addOption(asJson())
      .action(async (path: string, output: Output) => {
        const store = await bucketOf(terminal);
        const local = await folderOf(path, isImport);
        const [from, to] = isImport ? [local, store] : [store, local];
        const entry = { action: isImport ? 'files.import' : 'files.export', target: resolve(path) } as const;
        report(await copy(from, to, entry, terminal), output, terminal);
      });
  copying('import', 'from a data folder into the bucket of S3_BUCKET; creates a missing bucket', true);
  copying('export', 'from the bucket of S3_BUCKET into a data folder, for example for a backup', false);
}

async function bucketOf(terminal: Terminal): Promise<ObjectStore> {
  const config = readStorageConfig(terminal.environment);
  if (config.kind === 's3') return createObjectStore(config);
  throw new AppError(
    'VALIDATION_FAILED',
    'Set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY to the address and keys of the store.',
  );
}

async function folderOf(path: string, mustExist: boolean): Promise<ObjectStore> {
  const directory = join(resolve(path), 'objects');
  if (!mustExist || existsSync(directory)) return createObjectStore({ kind: 'files', directory });
  throw new AppError('NOT_FOUND', `There is no folder ${directory}, where a data folder has its files.`);
}

async function copy(
  from: ObjectStore,
  to: ObjectStore,
  entry: Pick<AuditEntry, 'action' | 'target'>,
  terminal: Terminal,
): Promise<Copied> {
  const { databaseUrl: url, databasePooling: pooling } = readOperatorConfig(terminal.environment);
  const dataSource = await createDataSource({
    url,
    pooling,
    poolSize: 1,
    applicationName: 'pressroom-cli',
  }).initialize();
  try {
    await addAuditEntry(dataSource, { ...actOf(terminal), ...entry });
    await to.prepare();
    return await copyObjects(dataSource, from, to);
  } finally {
    await dataSource.destroy();
  }
}

/** @throws AppError when a file could not be copied */
function report(outcome: Copied, output: Output, terminal: Terminal): void {
  const { copied, present, missing, damaged } = outcome;
  const lines = [
    `${copied} copied, ${present} already present.`,
    ...missing.map((key) => `missing  ${key}`),
    ...damaged.map((key) => `damaged  ${key}`),
  ];
  write(terminal, output, outcome, () => `${lines.join('\n')}\n`);
  const lost = missing.length + damaged.length;
  if (lost > 0)
    throw new AppError('NOT_FOUND', `${lost} files could not be copied; all other files are copied.`);
}
