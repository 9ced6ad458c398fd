import { Argument, type Command } from 'commander';
import { AppError } from '#libs/contract/errors.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { readQueues } from '#libs/operators/queues.js';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { withPlatform, type Platform } from './platform.js';
import { asJson, write, type Output, type Terminal } from './command-line.js';
import { table } from './table.js';

const queueArgument = () => new Argument('<queue>', 'the queue').choices(queueNames);

export function queueCommands(program: Command, terminal: Terminal): void {
  const queues = program.command('queues').description('shows, pauses, resumes and drains queues');

  queues
    .command('list')
    .description('all queues with their waiting and running jobs and their slots')
    .addOption(asJson())
    .action((output: Output) => withPlatform(terminal, (platform) => showAll(terminal, platform, output)));

  queues
    .command('pause')
    .description('starts no further job of a queue; running jobs continue, new jobs wait')
    .addArgument(queueArgument())
    .addOption(asJson())
    .action((queue: QueueName, output: Output) =>
      withPlatform(terminal, async (platform) => {
        await platform.jobActions.pauseQueue(platform.act, queue);
        await showAll(terminal, platform, output);
      }),
    );

  queues
    .command('resume')
    .description('starts jobs of a queue again')
    .addArgument(queueArgument())
    .addOption(asJson())
    .action((queue: QueueName, output: Output) =>
      withPlatform(terminal, async (platform) => {
        await platform.jobActions.resumeQueue(platform.act, queue);
        await showAll(terminal, platform, output);
      }),
    );

  queues
    .command('drain')
    .description('cancels the waiting jobs of a queue, of a user, or of both, and refunds their credits')
    .addArgument(new Argument('[queue]', 'the queue; without it, all').choices(queueNames))
    .option('--user <user>', 'only jobs of the user with this email or id')
    .option('--yes', 'confirms')
    .addOption(asJson())
    .action((queue: QueueName | undefined, options: Output & DrainOptions) =>
      withPlatform(terminal, async (platform) => {
        const cancelled = await drain(platform, queue, options);
        const of = queue === undefined ? '' : ` of ${queue}`;
        write(terminal, options, { queue, cancelled }, () => `Cancelled ${jobs(cancelled)}${of}.\n`);
      }),
    );
}

const jobs = (count: number) => `${count} waiting ${count === 1 ? 'job' : 'jobs'}`;

interface DrainOptions {
  user?: string;
  yes?: boolean;
}

/** @returns the number of cancelled jobs; jobs that a worker has started since continue */
async function drain(
  { dataSource, jobActions, users, act }: Platform,
  queue: QueueName | undefined,
  { user, yes }: DrainOptions,
): Promise<number> {
  if (queue === undefined && user === undefined)
    throw new AppError('VALIDATION_FAILED', 'Name a queue, or a user with --user.');
  const userId = user === undefined ? undefined : (await users.findUser(user)).id;
  const which = { ...(queue && { queue }), ...(userId && { userId }) };
  const waiting = await dataSource.getRepository(JobEntity).countBy({ ...which, status: 'queued' });
  if (!yes && waiting > 0) {
    const of = [queue && ` of the queue ${queue}`, user && ` of ${user}`].filter(Boolean).join('');
    throw new AppError(
      'VALIDATION_FAILED',
      `This cancels ${jobs(waiting)}${of} and refunds their credits. Confirm it with --yes.`,
    );
  }
  return jobActions.drainQueue(act, which);
}

const longer = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

async function showAll(terminal: Terminal, { dataSource }: Platform, output: Output): Promise<void> {
  const queues = await readQueues(dataSource);
  write(terminal, output, queues, () =>
    table(
      ['QUEUE', 'WAITING', 'RUNNING', 'OLDEST (S)', 'SLOTS', 'FOR STANDARD', 'STATE', 'REASON'],
      queues.map(({ queue, plans: { premium, standard }, slots, reservedSlots, paused, reason }) => [
        queue,
        premium.waiting + standard.waiting,
        premium.running + standard.running,
        longer(premium.oldestWaitSeconds, standard.oldestWaitSeconds),
        slots,
        reservedSlots,
        paused ? 'paused' : 'open',
        reason,
      ]),
    ),
  );
}
