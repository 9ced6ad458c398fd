import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { auditOutcome, type AdminJob, type JobStory } from '#libs/contract/admin.js';
import { jobStatuses, type JobStatus } from '#libs/contract/jobs.js';
import { UUID } from '#libs/contract/text.js';
import { jobNotFound, listJobs, readJobStory } from '#libs/operators/jobs.js';
import { toolNames, type ToolName } from '#libs/tools/catalogue.js';
import { withPlatform, type Platform } from './platform.js';
import {
  afterCursor,
  asJson,
  between,
  timesOf,
  wholeNumber,
  write,
  writeMore,
  type Output,
  type Terminal,
} from './command-line.js';
import { list, table } from './table.js';

interface JobOptions {
  status?: JobStatus;
  tool?: ToolName;
  user?: string;
  /** Ages in seconds. */
  older?: number;
  newer?: number;
  between?: string[];
  cursor?: string;
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
    .addOption(between('jobs created').conflicts(['older', 'newer']))
    .addOption(afterCursor('jobs'))
    .addOption(
      new Option('--limit <jobs>', 'maximum number of jobs').argParser(wholeNumber(MAX_LIMIT)).default(20),
    )
    .addOption(asJson())
    .action(({ user, older, newer, between: times, limit, json, ...filter }: Output & JobOptions) =>
      withPlatform(terminal, async ({ dataSource, users }) => {
        const { jobs: found, nextCursor } = await listJobs(dataSource, {
          ...filter,
          ...(user !== undefined && { user: (await users.findUser(user)).id }),
          ...(older !== undefined && { to: ago(older) }),
          ...(newer !== undefined && { from: ago(newer) }),
          ...(times && timesOf(times)),
          order: 'newest',
          limit,
        });
        if (nextCursor !== null) writeMore(terminal, `${found.length} jobs`, nextCursor);
        write(terminal, { json }, found, () =>
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
    act: (id: string, platform: Platform) => Promise<string>,
  ) =>
    jobs
      .command(name)
      .description(description)
      .argument('<id>', "the job's id")
      .addOption(asJson())
      .action((id: string, output: Output) =>
        withPlatform(terminal, async (platform) => {
          if (!UUID.test(id)) throw jobNotFound(id);
          show(
            terminal,
            await readJobStory(platform.dataSource, await act(id, platform), platform.traceUrl),
            output,
          );
        }),
      );

  jobCommand('show', 'all details of a job', async (id) => id);
  jobCommand('cancel', 'cancels a job and refunds its credits', async (id, { jobActions, act }) => {
    await jobActions.cancelJob(act, id);
    return id;
  });
  jobCommand(
    'retry',
    'runs a failed or cancelled job again, as a new job',
    async (id, { jobActions, act }) =>
      (await jobActions.retryJob(act, id, { requestId: randomUUID() })).job.id,
  );
}

function show(terminal: Terminal, job: JobStory, output: Output): void {
  const { progress, error, ledger, attemptLog, calls, audit, retriedBy, ...others } = job;
  write(terminal, output, job, () =>
    [
      list({
        ...others,
        hasInput: others.hasInput ? 'yes' : 'no',
        waitedSeconds: oneDigit(others.waitedSeconds),
        ranSeconds: oneDigit(others.ranSeconds),
        retriedBy: retriedBy.join(', '),
        progress: `${progress.percent} %, ${progress.message}`,
        error: error && `${error.code}: ${error.message}`,
      }),
      ...part(['ATTEMPT', 'WORKER', 'STARTED', 'ENDED', 'OUTCOME'], attemptLog, (attempt) => [
        ...[attempt.attempt, attempt.worker ?? null, timeOf(attempt.startedAt), timeOf(attempt.endedAt)],
        attempt.outcome ?? null,
      ]),
      ...part(['CALL', 'MODEL', 'STATUS', 'ERROR', 'TIME', 'SECONDS', 'COST'], calls, (call) => [
        ...[call.kind, call.model, call.status, call.errorCode, timeOf(call.at), call.seconds],
        call.cost === null ? null : `${call.cost.toFixed(4)} ${call.currency ?? ''}`,
      ]),
      ...(ledger.length === 0 ? ['Nothing was charged.\n'] : []),
      ...part(['LEDGER', 'CREDITS', 'MONTH', 'API KEY', 'TIME', 'NOTE'], ledger, (entry) => [
        ...[entry.kind, entry.amount, entry.month, entry.apiKeyId, timeOf(entry.at), entry.note],
      ]),
      ...part(['OPERATOR', 'ACTION', 'OUTCOME', 'REASON', 'TIME'], audit, (entry) => [
        ...[entry.operator, entry.action, auditOutcome(entry), entry.reason, timeOf(entry.at)],
      ]),
    ].join(''),
  );
}

const line = (job: AdminJob) => [
  ...[job.id, job.status, job.tool, job.email ?? job.userId, job.attempts, timeOf(job.createdAt)],
  ...[oneDigit(job.waitedSeconds), oneDigit(job.ranSeconds)],
];

/** A table after an empty line, unless there are no rows. */
const part = <Row>(headings: string[], rows: Row[], toCells: (row: Row) => (string | number | null)[]) =>
  rows.length === 0 ? [] : [`\n${table(headings, rows.map(toCells))}`];

const oneDigit = (seconds: number | null) => seconds && Math.round(seconds * 10) / 10;
const timeOf = (time: string | undefined) => time?.slice(0, 19).replace('T', ' ') ?? null;
// The database knows no negative years.
const ago = (seconds: number) => new Date(Math.max(0, Date.now() - seconds * 1_000)).toISOString();

const MAX_LIMIT = 1_000;
const SECONDS_IN = { s: 1, m: 60, h: 3_600, d: 86_400 };

function age(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * SECONDS_IN[unit as keyof typeof SECONDS_IN];
  throw new InvalidArgumentError('It must be a number with its unit: 30s, 10m, 2h or 7d.');
}
