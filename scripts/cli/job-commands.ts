import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { In } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import { jobStatuses, type JobStatus } from '#libs/contract/jobs.js';
import { CreditEntryEntity } from '#libs/database/entities/credits.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Database } from '#libs/database/sql.js';
import { toJob } from '#libs/jobs/job-response.js';
import { toolNames, type ToolName } from '#libs/tools/catalogue.js';
import { withPlatform, type Platform } from './platform.js';
import { asJson, wholeNumber, write, type Output, type Terminal } from './command-line.js';
import { list, table } from './table.js';

type OwnedJob = JobEntity & { email: string | null };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface JobFilter {
  status?: JobStatus;
  tool?: ToolName;
  user?: string;
  /** Ages in seconds. */
  older?: number;
  newer?: number;
  between?: string[];
  limit: number;
}

/** The commands for the jobs of all users. They show neither prompts nor results, which are private. */
export function jobCommands(program: Command, terminal: Terminal): void {
  const jobs = program.command('jobs').description('lists, shows, cancels and retries jobs');

  jobs
    .command('list')
    .description('the newest jobs')
    .addOption(new Option('--status <status>', 'only jobs with this status').choices(jobStatuses))
    .addOption(new Option('--tool <tool>', 'only jobs of this tool').choices(toolNames))
    .option('--user <user>', 'only jobs of the user with this email or id')
    .addOption(
      new Option('--older <age>', 'only jobs older than this, such as 30s, 10m, 2h or 7d').argParser(age),
    )
    .addOption(new Option('--newer <age>', 'only jobs newer than this').argParser(age))
    .option(
      '--between <times...>',
      'only jobs created from the first to the second time, such as 2026-11-27T22:00 2026-11-28T06:00 (UTC)',
    )
    .addOption(
      new Option('--limit <jobs>', 'maximum number of jobs').argParser(wholeNumber(MAX_LIMIT)).default(20),
    )
    .addOption(asJson())
    .action(({ status, tool, user, older, newer, between, limit, json }: Output & JobFilter) =>
      withPlatform(terminal, async ({ dataSource, users }) => {
        const userId = user === undefined ? undefined : (await users.findUser(user)).id;
        const select = dataSource
          .getRepository(JobEntity)
          .createQueryBuilder('job')
          .where({ ...(status && { status }), ...(userId && { userId }), ...(tool && { tool }) })
          .orderBy({ 'job.createdAt': 'DESC', 'job.id': 'DESC' })
          .limit(limit);
        if (older !== undefined)
          select.andWhere('job.createdAt < now() - make_interval(secs => :older)', { older });
        if (newer !== undefined)
          select.andWhere('job.createdAt >= now() - make_interval(secs => :newer)', { newer });
        if (between !== undefined) select.andWhere('job.createdAt BETWEEN :from AND :to', timesOf(between));
        const found = await withEmails(dataSource, await select.getMany());
        write(terminal, { json }, found.map(summary), () =>
          found.length === 0
            ? 'There are no such jobs.\n'
            : table(
                ['ID', 'STATUS', 'TOOL', 'USER', 'ATTEMPTS', 'CREATED', 'WAITED (S)', 'RAN (S)'],
                found.map(line),
              ),
        );
      }),
    );

  /** A command with a job id; it shows the job whose id `act` returns. */
  const jobCommand = (
    name: string,
    description: string,
    act: (job: OwnedJob, platform: Platform) => Promise<string>,
  ) =>
    jobs
      .command(name)
      .description(description)
      .argument('<id>', "the job's id")
      .addOption(asJson())
      .action((id: string, output: Output) =>
        withPlatform(terminal, async (platform) => {
          const job = await find(platform.dataSource, id);
          const shown = await find(platform.dataSource, await act(job, platform));
          show(terminal, shown, await readLedger(platform.dataSource, shown.id), output);
        }),
      );

  jobCommand('show', 'all details of a job', async ({ id }) => id);
  jobCommand('cancel', 'cancels a job and refunds its credits', async ({ id }, { actions, operator }) => {
    await actions.cancelJob({ operator }, id);
    return id;
  });
  jobCommand(
    'retry',
    'runs a failed or cancelled job again, as a new job',
    async ({ id }, { actions, operator }) =>
      (await actions.retryJob({ operator }, id, { requestId: randomUUID() })).id,
  );
}

async function find(database: Database, id: string): Promise<OwnedJob> {
  const jobs = UUID.test(id) ? await database.getRepository(JobEntity).findBy({ id }) : [];
  const [job] = await withEmails(database, jobs);
  if (!job) throw new AppError('NOT_FOUND', `There is no job with the id "${id}".`);
  return job;
}

async function withEmails(database: Database, jobs: JobEntity[]): Promise<OwnedJob[]> {
  const users = await database.getRepository(UserEntity).findBy({ id: In(jobs.map(({ userId }) => userId)) });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return jobs.map((job) => ({ ...job, email: emails.get(job.userId) ?? null }));
}

type LedgerEntry = Pick<CreditEntryEntity, 'kind' | 'amount' | 'month' | 'apiKeyId' | 'createdAt'>;

/** The charge and refund of a job, the oldest first. */
const readLedger = (database: Database, jobId: string): Promise<LedgerEntry[]> =>
  database.getRepository(CreditEntryEntity).find({
    select: { id: true, kind: true, amount: true, month: true, apiKeyId: true, createdAt: true },
    where: { jobId },
    order: { id: 'ASC' },
  });

function show(terminal: Terminal, job: OwnedJob, ledger: LedgerEntry[], output: Output): void {
  const details = summary(job);
  const { progress, error, ...others } = details;
  write(terminal, output, { ...details, ledger }, () =>
    [
      list({
        ...others,
        progress: `${progress.percent} %, ${progress.message}`,
        error: error && `${error.code}: ${error.message}`,
        'waited (s)': secondsBetween(job.createdAt, job.startedAt),
        'ran (s)': secondsBetween(job.startedAt, job.finishedAt),
      }),
      ledger.length === 0
        ? 'Nothing was charged.\n'
        : `\n${table(
            ['LEDGER', 'CREDITS', 'MONTH', 'API KEY', 'TIME'],
            ledger.map(({ kind, amount, month, apiKeyId, createdAt }) => [
              ...[kind, amount, month, apiKeyId],
              createdAt.toISOString().slice(0, 19).replace('T', ' '),
            ]),
          )}`,
    ].join(''),
  );
}

function summary(job: OwnedJob) {
  const { id, tool, status, progress, error, attempts, credits, priority, createdAt, startedAt, finishedAt } =
    toJob(job);
  const { failures, lostAttempts: losses, requestId, userId, email } = job;
  return {
    id,
    tool,
    status,
    progress,
    error,
    userId,
    email,
    priority,
    attempts,
    failures,
    losses,
    credits,
    requestId,
    createdAt,
    startedAt,
    finishedAt,
  };
}

const line = ({ id, status, tool, email, userId, attempts, createdAt, startedAt, finishedAt }: OwnedJob) => [
  id,
  status,
  tool,
  email ?? userId,
  attempts,
  createdAt.toISOString().slice(0, 19).replace('T', ' '),
  secondsBetween(createdAt, startedAt),
  secondsBetween(startedAt, finishedAt),
];

/** One digit behind the point; null if one of the times is unknown. */
const secondsBetween = (from: Date | null, to: Date | null): number | null =>
  from && to && Math.round((to.getTime() - from.getTime()) / 100) / 10;

function timesOf(times: string[]): { from: Date; to: Date } {
  const [from, to] = times.map((time) => new Date(/Z|[+-]\d\d:?\d\d$/.test(time) ? time : `${time}Z`));
  if (times.length === 2 && [from, to].every((time) => !Number.isNaN(time?.getTime())))
    return { from: from!, to: to! };
  throw new AppError(
    'VALIDATION_FAILED',
    'Give two times, such as --between 2026-11-27T22:00 2026-11-28T06:00.',
  );
}

const MAX_LIMIT = 1_000;
const SECONDS_IN = { s: 1, m: 60, h: 3_600, d: 86_400 };

function age(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * SECONDS_IN[unit as keyof typeof SECONDS_IN];
  throw new InvalidArgumentError('It must be a number with its unit: 30s, 10m, 2h or 7d.');
}
