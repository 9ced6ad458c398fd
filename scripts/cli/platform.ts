import type { DataSource } from 'typeorm';
import type { AuthSecrets } from '#libs/accounts/local/secrets.js';
import { AccountDeletion } from '#libs/accounts/account-deletion.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { Users } from '#libs/accounts/users.js';
import { CreationEvents } from '#libs/creations/creation-events.js';
import { readOperatorConfig, readStorageConfig, type AccountsConfig } from '#libs/config/environment.js';
import type { Budgets } from '#libs/config/budgets.js';
import type { Prices } from '#libs/config/prices.js';
import type { ProviderPrices } from '#libs/config/provider-prices.js';
import { ProviderBudgets, providerToolsOf } from '#libs/costs/provider-budgets.js';
import { createDataSource } from '#libs/database/data-source.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { type AccountEvents } from '#libs/accounts/account-events.js';
import { BatchEvents } from '#libs/batches/batch-events.js';
import { defaultBatchSettings } from '#libs/batches/batch-rows.js';
import { Batches } from '#libs/batches/batches.js';
import { LiveAccountEvents } from '#libs/billing/live-account-events.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { FlowEvents } from '#libs/flows/flow-events.js';
import { FlowRuns } from '#libs/flows/flow-runs.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { AuditedActions, type Act } from '#libs/operators/audited-actions.js';
import { CreationActions } from '#libs/operators/creation-actions.js';
import { JobActions } from '#libs/operators/job-actions.js';
import { UserActions } from '#libs/operators/user-actions.js';
import type { StorageQuota } from '#libs/billing/storage-quota.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import type { ObjectStore } from '#libs/storage/object-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { createJobQueue } from '#libs/queue/job-queue.js';
import { actOf, type Terminal } from './command-line.js';

export interface Platform {
  dataSource: DataSource;
  accounts: AccountsConfig['kind'];
  /** Null if AUTH_SECRET is not set. */
  authSecrets: AuthSecrets | null;
  publicUrl: string;
  /** Address of a trace with `{traceId}` in it, or null. */
  traceUrl: string | null;
  users: Users;
  apiKeys: ApiKeys;
  accountEvents: AccountEvents;
  lifecycle: JobLifecycle;
  submission: JobSubmission;
  storageQuota: StorageQuota;
  budgets: Budgets;
  providerPrices: ProviderPrices | null;
  actions: AuditedActions;
  jobActions: JobActions;
  userActions: UserActions;
  creationActions: CreationActions;
  prices: Prices;
  /** Who runs the command, and why. */
  act: Act;
  openStore: () => Promise<ObjectStore>;
}

/** A handler that writes each message once: the clients of the queue report each attempt to connect. */
export function reportOnce(terminal: Terminal): (error: Error) => void {
  const reported = new Set<string>();
  return ({ message }) => {
    const note = NOTES.find(([pattern]) => pattern.test(message))?.[1];
    if (reported.has(note ?? message)) return;
    reported.add(note ?? message);
    terminal.writeError(note ? `${note} ${SAVED} (${message})\n` : `${message}\n`);
  };
}

const SAVED = 'What this command changes is saved; programs see it later.';
const NOTES: [RegExp, string][] = [
  [
    /^(?:WRONGPASS|NOAUTH|NOPERM) |invalid password|AUTH <password>/,
    'The queue refuses user and password of REDIS_URL or REDIS_CLUSTER_PASSWORD.',
  ],
  [
    /ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ECONNRESET|does not answer|timed out|is closed/,
    'The queue does not answer.',
  ],
];

/** Milliseconds before the exit, for events that are sent in the background. */
const EVENT_FLUSH_MS = 250;

export async function withPlatform<Result>(
  terminal: Terminal,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const {
    databaseUrl,
    databasePooling: pooling,
    queue: config,
    jobs,
    storageQuota,
    prices,
    accounts,
    authSecrets,
    publicUrl,
    traceUrl,
    providerPrices,
    budgets,
    ...engines
  } = readOperatorConfig(terminal.environment);
  const dataSource = await createDataSource({
    url: databaseUrl,
    pooling,
    poolSize: 2,
    applicationName: 'pressroom-cli',
  }).initialize();
  const onError = reportOnce(terminal);
  const queue = createJobQueue({ config, databaseUrl, onError });
  const live = SocketServer.create({ config, databaseUrl, onError });
  const positions = new QueuePositions(dataSource);
  const jobEvents = new JobEvents(dataSource, live, positions, onError);
  const accountEvents = new LiveAccountEvents(dataSource, live, storageQuota, onError, prices);
  const submission = new JobSubmission({
    ...{ dataSource, queue, jobEvents, accountEvents, positions, onError },
    limits: { ...jobs, storageQuota },
    prices,
    budgets: new ProviderBudgets({
      ...{ database: dataSource, budgets, prices: providerPrices, providerTools: providerToolsOf(engines) },
    }),
    reclaimStorage: reclaimStorage,
  });
  const lifecycle = new JobLifecycle({ dataSource, queue, live, jobEvents, accountEvents, onError });
  const shared = { dataSource, submission, lifecycle, accountEvents, onError };
  const batchEvents = new BatchEvents(dataSource, live, jobEvents, defaultBatchSettings, onError);
  new Batches({ ...shared, batchEvents, storageQuota });
  new FlowRuns({ ...shared, flowEvents: new FlowEvents(dataSource, live, jobEvents, onError) });
  const openStore = async () => createObjectStore(readStorageConfig(terminal.environment));
  const userActions = new UserActions({
    ...{ dataSource, lifecycle, accountEvents, live, accounts, prices, onError },
    openDeletion: async () =>
      new AccountDeletion(
        dataSource,
        new StoredFiles(dataSource, await openStore()),
        queue,
        live,
        (message) => terminal.writeError(`${message}\n`),
      ),
  });
  try {
    return await work({
      dataSource,
      accounts,
      authSecrets,
      publicUrl,
      traceUrl,
      users: new Users(dataSource, 'local'),
      apiKeys: new ApiKeys(dataSource, onError),
      accountEvents,
      lifecycle,
      submission,
      storageQuota,
      budgets,
      providerPrices,
      actions: new AuditedActions(dataSource),
      jobActions: new JobActions({ dataSource, queue, lifecycle, submission, onError }),
      userActions,
      creationActions: new CreationActions(dataSource, new CreationEvents(live)),
      prices,
      act: actOf(terminal),
      openStore,
    });
  } finally {
    await sleep(EVENT_FLUSH_MS);
    await lifecycle.close();
    await live.close();
    await queue.close();
    await dataSource.destroy();
  }
}
