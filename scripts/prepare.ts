import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { readMigrationConfig, readStorageConfig } from '#libs/config/environment.js';
import {
  CONFIGURATION_EXIT_CODE,
  createDataFolderOrExit,
  exitIfMisconfigured,
  orExit,
} from '#libs/config/exit.js';
import { misspeltVariables } from '#libs/config/misspelt-variables.js';
import { cannotBeOpened, isDatabaseRefused, unavailableMessage } from '#libs/database/data-source.js';
import { codeOf, connectionProblem, isDatabaseUnavailable } from '#libs/database/sql.js';
import { migrate } from '#libs/database/migrate.js';
import { MigrationRefused } from '#libs/database/migrations/running-programs.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import { StoreError, StoreRefused } from '#libs/storage/object-store.js';

/**
 * Prepares a deployment before api and workers start: migrates the database and creates the bucket. It can run again, and
 * on several machines at once. Exits with 0, with 78 for a wrong configuration, else with 1.
 */

/** Milliseconds for services that start at the same time. */
const RETRY_FOR = 60_000;
const RETRY_EVERY = 1_000;
/** SQLSTATEs. */
const INSUFFICIENT_PRIVILEGE = '42501';
const READ_ONLY_TRANSACTION = '25006';

for (const line of misspeltVariables()) process.stderr.write(`${line}\n`);
const { url, variable, pooling } = orExit(readMigrationConfig);
const storage = orExit(readStorageConfig);
if (storage.kind === 'files') createDataFolderOrExit(storage.directory);
const store = await createObjectStore(storage);
const deadline = performance.now() + RETRY_FOR;
const isUnavailable = (error: unknown) =>
  (isDatabaseUnavailable(error) && !isDatabaseRefused(error)) ||
  (error instanceof StoreError && !(error instanceof StoreRefused));
const retried = retry(
  handleWhen((error) => isUnavailable(error) && performance.now() < deadline),
  { backoff: new ConstantBackoff(RETRY_EVERY) },
);
retried.onRetry(onFirst((reason) => process.stderr.write(`Waiting: ${textOf(reason)}\n`)));
try {
  await retried.execute(() => migrate(url, pooling));
  print('The database is of this version.');
  await retried.execute(() => store.prepare());
  print('The object store is ready.');
  process.exit(0);
} catch (error) {
  if (isDatabaseRefused(error)) exitIfMisconfigured(cannotBeOpened(error, variable));
  if (codeOf(error) === INSUFFICIENT_PRIVILEGE) exitIfMisconfigured(mayNotMigrate(error));
  if (error instanceof ConfigurationError) exitIfMisconfigured(error);
  process.stderr.write(`${textOf(error)}\n`);
  process.exit(error instanceof StoreRefused ? CONFIGURATION_EXIT_CODE : 1);
}

function textOf(error: unknown): string {
  if (error instanceof MigrationRefused || error instanceof StoreError) return error.message;
  if (isDatabaseUnavailable(error)) return unavailableMessage(error, variable);
  if (codeOf(error) === READ_ONLY_TRANSACTION)
    return `The database that ${variable} names takes no writes: ${connectionProblem(error)}. Give it the address of the primary, or end its default_transaction_read_only.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function mayNotMigrate(error: unknown): ConfigurationError {
  return new ConfigurationError(
    `${variable} must have a user who owns the tables and may create others, such as the owner of the database: ${connectionProblem(error)}.`,
  );
}

/** Calls back at the first retry only. */
function onFirst(callback: (reason: unknown) => void) {
  let isFirst = true;
  return (failure: object) => {
    if (isFirst && 'error' in failure) callback(failure.error);
    isFirst = false;
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
