import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Argument, Option, type Command } from 'commander';
import type { UserLimits } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { readUserLimits } from '#libs/billing/user-limits.js';
import { addAuditEntry } from '#libs/audit/audit-log.js';
import { exportUser } from '#libs/operators/export-user.js';
import { countUserRows } from '#libs/operators/user-data.js';
import { listUsers, readUserDetails, type UserFilter } from '#libs/operators/users.js';
import {
  afterCursor,
  asJson,
  day,
  wholeNumber,
  write,
  writeMore,
  type Output,
  type Terminal,
} from './command-line.js';
import { withPlatform } from './platform.js';
import { list, table } from './table.js';

const MAX_LIMIT = 1_000;

/** The commands for whole accounts. */
export function accountCommands(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('lists, shows, exports, suspends and deletes users');
  const user = () => new Argument('<user>', "the user's email or id");

  users
    .command('list')
    .description('the newest users')
    .option('--search <text>', 'only users whose name or email contains this')
    .addOption(new Option('--plan <plan>', 'only users with this plan').choices(['free', 'premium']))
    .option('--suspended', 'only suspended users')
    .addOption(afterCursor('users'))
    .addOption(
      new Option('--limit <users>', 'maximum number of users').argParser(wholeNumber(MAX_LIMIT)).default(20),
    )
    .addOption(asJson())
    .action((filter: Output & UserFilter) =>
      withPlatform(terminal, async ({ dataSource }) => {
        const { users: found, nextCursor } = await listUsers(dataSource, filter);
        if (nextCursor !== null) writeMore(terminal, `${found.length} users`, nextCursor);
        write(terminal, filter, found, () =>
          found.length === 0
            ? 'There are no such users.\n'
            : table(
                ['ID', 'EMAIL', 'NAME', 'PLAN', 'ROLE', 'CREATIONS', 'CREATED', 'SUSPENDED'],
                found.map(({ id, email, name, plan, role, creations, createdAt, suspendedAt }) => [
                  ...[id, email, name, plan, role, creations],
                  ...[createdAt.slice(0, 10), suspendedAt?.slice(0, 10) ?? null],
                ]),
              ),
        );
      }),
    );

  users
    .command('show')
    .description('plan, credits, storage, jobs, sessions and keys of a user')
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ dataSource, users: known, storageQuota, prices }) => {
        const { id } = await known.findUser(idOrEmail);
        const { audit, ...details } = await readUserDetails(dataSource, id, storageQuota, prices);
        const { profile, plan, role, credits, storage, limits, jobs, sessions, keys, ...others } = details;
        const { subscription, planChanges, ...facts } = others;
        write(terminal, output, { ...details, audit }, () =>
          list({
            ...{ id, name: profile.fullName, email: profile.email, plan, role },
            'credits left': credits.remaining ?? 'unlimited',
            'storage (MB)': `${Math.round((storage.used / MB) * 10) / 10} of ${Math.round(storage.limit / MB)}`,
            ...limitEntries(limits ?? null),
            jobs: Object.entries(jobs)
              .map(([status, count]) => `${count} ${status}`)
              .join(', '),
            ...facts,
            subscription: subscription?.status ?? null,
            'plan changes': planChanges
              .map(({ plan: chosen, source, at }) => `${chosen} by ${source} ${at.slice(0, 10)}`)
              .join(', '),
            sessions: sessions.length,
            keys: keys.length,
          }),
        );
      }),
    );

  users
    .command('export')
    .description('writes all data of a user, without passwords and keys, into a ZIP')
    .addArgument(user())
    .addArgument(
      new Argument('<file>', 'the ZIP to write, which only you can read; - is the standard output'),
    )
    .addOption(asJson())
    .action((idOrEmail: string, file: string, output: Output) =>
      withPlatform(terminal, async ({ dataSource, users: known, openStore, act }) => {
        const { id } = await known.findUser(idOrEmail);
        const isOutput = file === '-';
        const zip = isOutput ? (terminal.output ?? process.stdout) : await createFile(file);
        const entry = { ...act, action: 'user.export', target: id } as const;
        try {
          const content = await exportUser(dataSource, await openStore(), id);
          // Before the first byte, since the command can be killed.
          await addAuditEntry(dataSource, entry);
          // The standard output stays open.
          await pipeline(content, zip, { end: !isOutput });
        } catch (error) {
          if (!isOutput) await rm(file, { force: true });
          const isWriteError = (error as { syscall?: unknown }).syscall === 'write';
          const problem = (isWriteError && fileProblem(error, file)) || error;
          const refused = problem instanceof AppError ? problem.code : 'INTERNAL';
          await addAuditEntry(dataSource, { ...entry, details: { refused } }).catch(() => undefined);
          throw problem;
        }
        const rows = await countUserRows(dataSource, id);
        const answer = isOutput
          ? { ...terminal, write: (text: string) => terminal.writeError(text) }
          : terminal;
        write(answer, output, { id, file, rows }, () => `Wrote ${isOutput ? 'the ZIP' : file}.\n`);
      }),
    );

  users
    .command('suspend')
    .description('signs a user out everywhere, refuses new sign-ins and keys, and cancels the waiting jobs')
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ users: known, userActions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        const done = await userActions.suspendUser(act, id);
        const { changed, endedSessions, cancelledJobs } = done;
        write(
          terminal,
          output,
          { id, ...done },
          () =>
            list({ id, 'ended sessions': endedSessions, 'cancelled jobs': cancelledJobs }) +
            (changed ? '' : 'The user was suspended before, and the first reason stays.\n'),
        );
      }),
    );

  users
    .command('unsuspend')
    .description('lets a suspended user sign in again')
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ users: known, userActions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        await userActions.unsuspendUser(act, id);
        write(terminal, output, { id }, () => `${id} may sign in again.\n`);
      }),
    );

  users
    .command('limits')
    .description('gives a user other limits for a time, or ends them; a limit that is not given stays')
    .addArgument(user())
    .addOption(new Option('--jobs <jobs>', 'jobs that wait or run at once').argParser(wholeNumber(100_000)))
    .addOption(new Option('--storage <megabytes>', 'storage in MB').argParser(wholeNumber(1e9)))
    .addOption(new Option('--until <day>', 'the first day without them, as 2026-12-31 (UTC)').argParser(day))
    .addOption(new Option('--end', 'ends them now').conflicts(['jobs', 'storage', 'until']))
    .addOption(asJson())
    .action((idOrEmail: string, { jobs, storage, until, end, ...output }: Output & LimitOptions) =>
      withPlatform(terminal, async ({ dataSource, users: known, userActions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        if (!end && (until === undefined || (jobs === undefined && storage === undefined)))
          throw new AppError('VALIDATION_FAILED', 'Give --until with --jobs or --storage, or --end.');
        const before = await readUserLimits(dataSource, id);
        const limits = until && {
          unfinishedJobs: jobs ?? before?.unfinishedJobs ?? null,
          storageBytes: storage === undefined ? (before?.storageBytes ?? null) : storage * MB,
          until: until.toISOString(),
        };
        await userActions.setLimits(act, id, limits ?? null);
        const now = (await readUserLimits(dataSource, id)) ?? null;
        write(terminal, output, { id, limits: now }, () => list({ id, ...limitEntries(now) }));
      }),
    );

  users
    .command('delete')
    .description('deletes a user with all rows and files, and prints a receipt')
    .addArgument(user())
    .option('--yes', 'confirms')
    .addOption(asJson())
    .action((idOrEmail: string, { yes, ...output }: Output & { yes?: boolean }) =>
      withPlatform(terminal, async ({ users: known, userActions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        if (!yes) {
          const { rows, files } = await userActions.countDeletion(id);
          throw new AppError(
            'VALIDATION_FAILED',
            `This deletes ${idOrEmail} with ${sum(rows)} rows and ${files.count} files. It cannot be undone. Confirm it with --yes.`,
          );
        }
        const receipt = await userActions.deleteUser(act, id, id);
        const { sha256, ...hashed } = receipt;
        const { operator, rows, unlinked, files, left } = hashed;
        write(terminal, output, receipt, () =>
          [
            list({
              id,
              'deleted at': receipt.deletedAt,
              operator,
              'rows deleted': sum(rows),
              'rows kept without the id': sum(unlinked),
              'rows left': sum(left),
            }),
            `${files.count} files of ${(files.bytes / MB).toFixed(1)} MB queued for deletion\n\n`,
            table(['TABLE', 'ROWS'], Object.entries(rows)),
            `\nThe receipt as JSON, and its SHA-256:\n${JSON.stringify(hashed)}\n${sha256}\n`,
          ].join(''),
        );
      }),
    );
}

const MB = 1024 * 1024;

/** @returns a stream to a new file that only this user can read. @throws AppError in words */
async function createFile(path: string): Promise<NodeJS.WritableStream> {
  try {
    return (await open(path, 'wx', 0o600)).createWriteStream();
  } catch (error) {
    throw fileProblem(error, path) ?? error;
  }
}

/** An error of the file system in words; null for others. */
function fileProblem(error: unknown, path: string): AppError | null {
  const messages: Record<string, string> = {
    ENOENT: `There is no folder ${dirname(path)}.`,
    ENOTDIR: `${dirname(path)} is no folder.`,
    EEXIST: `${path} exists already. Choose another name, or remove it first.`,
    EISDIR: `${path} is a folder.`,
    EACCES: `You have no permission to write to ${dirname(path)}.`,
    EROFS: `${dirname(path)} is read-only, as in a container. Use - and redirect the standard output.`,
    ENOSPC: `The disk of ${path} is full.`,
    EPIPE: 'The program that read the standard output has ended.',
  };
  const message = messages[String((error as { code?: unknown }).code)];
  return message === undefined ? null : new AppError('VALIDATION_FAILED', message);
}

interface LimitOptions {
  jobs?: number;
  storage?: number;
  until?: Date;
  end?: boolean;
}

const limitEntries = (limits: UserLimits | null): Record<string, string | number | null> =>
  limits
    ? {
        'temporary limit of jobs': limits.unfinishedJobs,
        'temporary limit of storage (MB)': limits.storageBytes && Math.round(limits.storageBytes / MB),
        'temporary limits until': limits.until.slice(0, 16).replace('T', ' '),
      }
    : { 'temporary limits': null };

const sum = (rows: Record<string, number>) => Object.values(rows).reduce((total, count) => total + count, 0);
