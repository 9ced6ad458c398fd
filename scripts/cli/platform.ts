import type { Database } from '#libs/database/sql.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { Users } from '#libs/accounts/users.js';
import { readOperatorConfig, type AccountsConfig } from '#libs/config/environment.js';
import { createDataSource } from '#libs/database/data-source.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { QueuePositions } from '#libs/jobs/queue-positions.js';
import { QueuePauses } from '#libs/jobs/queue-pauses.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { createJobQueue } from '#libs/queue/job-queue.js';
import type { Terminal } from './terminal.js';

export interface Platform {
  dataSource: Database;
  accounts: AccountsConfig['kind'];
  users: Users;
  jobEvents: JobEvents;
  lifecycle: JobLifecycle;
  submission: JobSubmission;
  pauses: QueuePauses;
}

/** Events are sent in the background; the process waits so many milliseconds for them before it exits. */
const EVENT_FLUSH_MS = 250;

export async function withPlatform<Result>(
  terminal: Terminal,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const {
    databaseUrl,
    queue: config,
    jobs,
    storageQuota,
    accounts,
  } = readOperatorConfig(terminal.environment);
  const dataSource = await createDataSource({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'pressroom-cli',
  }).initialize();
  const onError = (error: Error) => terminal.writeError(`${error.message}\n`);
  const queue = createJobQueue({ config, databaseUrl, onError });
  const live = SocketServer.create({ config, databaseUrl, onError });
  const positions = new QueuePositions(dataSource);
  const jobEvents = new JobEvents(dataSource, live, positions, storageQuota, onError);
  try {
    return await work({
      dataSource,
      accounts,
      users: new Users(dataSource, 'local'),
      jobEvents,
      lifecycle: new JobLifecycle({ dataSource, queue, live, jobEvents, onError }),
      pauses: new QueuePauses(dataSource, queue, onError),
      submission: new JobSubmission(
        dataSource,
        queue,
        jobEvents,
        { ...jobs, storageQuota },
        positions,
        onError,
      ),
    });
  } finally {
    await sleep(EVENT_FLUSH_MS);
    await live.close();
    await queue.close();
    await dataSource.destroy();
  }
}
