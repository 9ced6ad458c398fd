import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Argument, Option, type Command } from 'commander';
import type { UserLimits } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { readUserLimits } from '#libs/billing/user-limits.js';
import { addAuditEntry } from '#libs/audit/audit-log.js';
import { exportUser } from '#libs/operators/export-user.js';
import { countUserRows } from '#libs/operators/user-data.js';
import { listUsers, readUserDetails, type UserFilter } from '#libs/operators/users.js';
import { asJson, day, wholeNumber, write, type Output, type Terminal } from './command-line.js';
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
    .addOption(
      new Option('--limit <users>', 'maximum number of users').argParser(wholeNumber(MAX_LIMIT)).default(20),
    )
    .addOption(asJson())
    .action((filter: Output & UserFilter) =>
      withPlatform(terminal, async ({ dataSource }) => {
        const { users: found } = await listUsers(dataSource, filter);
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
        const { profile, plan, role, credits, storage, limits, jobs, sessions, keys, ...facts } = details;
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
    .addArgument(new Argument('<file>', 'the ZIP to write'))
    .addOption(asJson())
    .action((idOrEmail: string, file: string, output: Output) =>
      withPlatform(terminal, async ({ dataSource, users: known, openStore, act }) => {
        const { id } = await known.findUser(idOrEmail);
        await addAuditEntry(dataSource, { ...act, action: 'user.export', target: id });
        await pipeline(
          await exportUser(dataSource, await openStore(), id),
          createWriteStream(file, { flags: 'wx' }),
        );
        const rows = await countUserRows(dataSource, id);
        write(terminal, output, { id, file, rows }, () => `Wrote ${file}.\n`);
      }),
    );

  users
    .command('suspend')
    .description('signs a user out everywhere, refuses new sign-ins and keys, and cancels the waiting jobs')
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ users: known, actions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        const { endedSessions, cancelledJobs } = await actions.suspendUser(act, id);
        const done = { id, endedSessions, cancelledJobs };
        write(terminal, output, done, () =>
          list({ id, 'ended sessions': endedSessions, 'cancelled jobs': cancelledJobs }),
        );
      }),
    );

  users
    .command('unsuspend')
    .description('lets a suspended user sign in again')
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ users: known, actions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        await actions.unsuspendUser(act, id);
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
      withPlatform(terminal, async ({ dataSource, users: known, actions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        if (!end && (until === undefined || (jobs === undefined && storage === undefined)))
          throw new AppError('VALIDATION_FAILED', 'Give --until with --jobs or --storage, or --end.');
        const before = await readUserLimits(dataSource, id);
        const limits = until && {
          unfinishedJobs: jobs ?? before?.unfinishedJobs ?? null,
          storageBytes: storage === undefined ? (before?.storageBytes ?? null) : storage * MB,
          until: until.toISOString(),
        };
        await actions.setLimits(act, id, limits ?? null);
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
      withPlatform(terminal, async ({ users: known, actions, act }) => {
        const { id } = await known.findUser(idOrEmail);
        if (!yes) {
          const { rows, files } = await actions.countDeletion(id);
          throw new AppError(
            'VALIDATION_FAILED',
            `This deletes ${idOrEmail} with ${sum(rows)} rows and ${files.count} files. It cannot be undone. Confirm it with --yes.`,
          );
        }
        const receipt = await actions.deleteUser(act, id, id);
        const { operator, rows, unlinked, files, left, sha256 } = receipt;
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
            `${files.count} files of ${(files.bytes / MB).toFixed(1)} MB\n\n`,
            table(['TABLE', 'ROWS'], Object.entries(rows)),
            `\nSHA-256 of this receipt as JSON: ${sha256}\n`,
          ].join(''),
        );
      }),
    );
}

const MB = 1024 * 1024;

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
