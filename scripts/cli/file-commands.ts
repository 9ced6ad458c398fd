import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Argument, Option, type Command } from 'commander';
import { readDatabaseUrl, readStorageConfig } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { createDataSource } from '#libs/database/data-source.js';
import { copyObjects, type Copied } from '#libs/storage/copy-objects.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import type { Terminal } from './program.js';

/** The command that takes people's files from the embedded default to an object store. */
export function fileCommands(program: Command, terminal: Terminal): void {
  program
    .command('copy-files')
    .description("copies everybody's files from a data folder to the object store of S3_ENDPOINT")
    .addArgument(new Argument('<folder>', 'the DATA_DIR of the start that made the files'))
    .addOption(new Option('--json', 'answer in JSON'))
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const outcome = await copy(folder, terminal);
      if (json) terminal.write(`${JSON.stringify(outcome, null, 2)}\n`);
      else terminal.write(told(outcome));
      const lost = outcome.missing.length + outcome.damaged.length;
      if (lost > 0)
        throw new AppError('NOT_FOUND', `${lost} could not be copied; everything else is in its place.`);
    });
}

async function copy(folder: string, terminal: Terminal): Promise<Copied> {
  const storage = readStorageConfig(terminal.environment);
  if (storage.kind === 'files') {
    throw new AppError(
      'VALIDATION_FAILED',
      'Set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY: they name the store to copy to.',
    );
  }
  const directory = join(resolve(folder), 'objects');
  if (!existsSync(directory))
    throw new AppError('NOT_FOUND', `There is no folder ${directory}: it holds the files of a data folder.`);
  const dataSource = await createDataSource({
    url: readDatabaseUrl(terminal.environment),
    poolSize: 1,
    applicationName: 'pressroom-cli',
  }).initialize();
  try {
    const to = createObjectStore(storage);
    await to.prepare();
    return await copyObjects(dataSource, createObjectStore({ kind: 'files', directory }), to);
  } finally {
    await dataSource.destroy();
  }
}

const told = ({ copied, present, missing, damaged }: Copied) =>
  [
    `${copied} copied, ${present} there already.`,
    ...missing.map((key) => `missing  ${key}`),
    ...damaged.map((key) => `damaged  ${key}`),
    '',
  ].join('\n');
