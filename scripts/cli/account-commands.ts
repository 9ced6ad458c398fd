import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import { signOutEverywhere } from '#libs/accounts/sign-out.js';
import { suspend, unsuspend } from '#libs/accounts/suspension.js';
import { readAccount } from '#libs/billing/account.js';
import { AppError } from '#libs/contract/errors.js';
import { queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { exportUser } from '#libs/operators/export-user.js';
import { addAuditEntry } from '#libs/operators/audit-log.js';
import { countUserRows } from '#libs/operators/user-data.js';
import { asJson, wholeNumber, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';
import { list, table } from './table.js';

const MAX_LIMIT = 1_000;
const DELETED_AT_CLERK =
  'With Clerk the user is deleted there: its webhook then deletes everything here. Deleted here alone, the user comes back with the next sign-in.';

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
        const found = await listUsers(dataSource, filter);
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
      withPlatform(terminal, async ({ dataSource, users: known, storageQuota }) => {
        const { id } = await known.findUser(idOrEmail);
        const account = await readAccount(dataSource, id, storageQuota);
        const facts = await queryRow(dataSource, factsSchema, FACTS, [id]);
        if (!account || !facts) throw new AppError('NOT_FOUND', `The user "${idOrEmail}" was just deleted.`);
        const { profile, plan, role, credits, storage } = account;
        const { jobs, ...counts } = facts;
        write(terminal, output, { ...profile, plan, role, credits, storage, ...facts }, () =>
          list({
            ...{ id, name: profile.fullName, email: profile.email, plan, role },
            'credits left': credits.remaining ?? 'unlimited',
            'storage (MB)': `${Math.round(storage.used / 1e5) / 10} of ${Math.round(storage.limit / 1e6)}`,
            jobs: Object.entries(jobs ?? {})
              .map(([status, count]) => `${count} ${status}`)
              .join(', '),
            ...counts,
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
      withPlatform(terminal, async ({ dataSource, users: known, openStore, record }) => {
        const { id } = await known.findUser(idOrEmail);
        await record(dataSource, 'user.export', id);
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
    .option('--reason <text>', 'why; the user is told')
    .addOption(asJson())
    .action((idOrEmail: string, { reason: why, ...output }: Output & { reason?: string }) =>
      withPlatform(terminal, async ({ dataSource, users: known, live, lifecycle, accountEvents, record }) => {
        const { id } = await known.findUser(idOrEmail);
        await dataSource.transaction(async (transaction) => {
          await suspend(transaction, id, why ?? null);
          await record(transaction, 'user.suspend', id, { reason: why });
        });
        const sessions = await signOutEverywhere(dataSource, id);
        // First, so that open pages ask for a new token, get none, and sign out.
        for (const session of sessions) accountEvents.sessionEnded({ id: session, userId: id }, true);
        live.publish('user:suspended', id);
        live.disconnectUser(id);
        const cancelledJobs = await lifecycle.cancelAllWaiting({ userId: id });
        const done = { id, endedSessions: sessions.length, cancelledJobs };
        write(terminal, output, done, () =>
          list({ id, 'ended sessions': sessions.length, 'cancelled jobs': cancelledJobs }),
        );
      }),
    );

  users
    .command('unsuspend')
    .description('lets a suspended user sign in again')
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ dataSource, users: known, record }) => {
        const { id } = await known.findUser(idOrEmail);
        await dataSource.transaction(async (transaction) => {
          await unsuspend(transaction, id);
          await record(transaction, 'user.unsuspend', id);
        });
        write(terminal, output, { id }, () => `${id} may sign in again.\n`);
      }),
    );

  users
    .command('delete')
    .description('deletes a user with all rows and files, and prints a receipt')
    .addArgument(user())
    .option('--yes', 'confirms')
    .option('--reason <text>', 'why, for the audit log')
    .addOption(asJson())
    .action(
      (idOrEmail: string, { yes, reason: why, ...output }: Output & { yes?: boolean; reason?: string }) =>
        withPlatform(terminal, async ({ dataSource, users: known, accounts, openDeletion, operator }) => {
          if (accounts === 'clerk') throw new AppError('FORBIDDEN', DELETED_AT_CLERK);
          const { id } = await known.findUser(idOrEmail);
          const deletion = await openDeletion();
          const rows = await countUserRows(dataSource, id);
          const files = await queryRow(dataSource, filesSchema, FILES, [id]);
          if (!yes) {
            throw new AppError(
              'VALIDATION_FAILED',
              `This deletes ${idOrEmail} with ${sum(rows)} rows and ${files?.count ?? 0} files. It cannot be undone. Confirm it with --yes.`,
            );
          }
          const details = { rows, files };
          await deletion.delete(id, (transaction) =>
            addAuditEntry(transaction, { operator, action: 'user.delete', target: id, reason: why, details }),
          );
          const left = await countUserRows(dataSource, id);
          const receipt = { id, deletedAt: new Date().toISOString(), operator, ...details, left };
          const sha256 = createHash('sha256').update(JSON.stringify(receipt)).digest('hex');
          write(terminal, output, { ...receipt, sha256 }, () =>
            [
              list({
                id,
                'deleted at': receipt.deletedAt,
                operator,
                'rows deleted': sum(rows),
                'rows left': sum(left),
              }),
              `${files?.count ?? 0} files of ${((files?.bytes ?? 0) / 1e6).toFixed(1)} MB\n\n`,
              table(['TABLE', 'ROWS'], Object.entries(rows)),
              `\nSHA-256 of this receipt as JSON: ${sha256}\n`,
            ].join(''),
          );
        }),
    );
}

const sum = (rows: Record<string, number>) => Object.values(rows).reduce((total, count) => total + count, 0);

const filesSchema = z.object({ count: z.number(), bytes: z.coerce.number() });
const FILES = `SELECT count(*)::integer AS count, coalesce(sum(bytes), 0) AS bytes FROM objects WHERE user_id = $1`;

interface UserFilter {
  search?: string;
  plan?: 'free' | 'premium';
  suspended?: boolean;
  limit: number;
}

const isoTime = z.date().transform((date) => date.toISOString());
const userRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  plan: z.string(),
  role: z.string(),
  createdAt: isoTime,
  suspendedAt: isoTime.nullable(),
  creations: z.number(),
});

const listUsers = (database: Database, { search, plan, suspended, limit }: UserFilter) =>
  queryRows(
    database,
    userRowSchema,
    `SELECT id, name, email, plan, role, created_at AS "createdAt", suspended_at AS "suspendedAt",
       (SELECT count(*)::integer FROM creations WHERE user_id = users.id AND deleted_at IS NULL) AS creations
     FROM users
     WHERE ($1::text IS NULL OR position(lower($1) IN lower(name || ' ' || coalesce(email, ''))) > 0)
       AND ($2::text IS NULL OR plan = $2) AND (NOT $3 OR suspended_at IS NOT NULL)
     ORDER BY created_at DESC, id LIMIT $4`,
    [search ?? null, plan ?? null, suspended === true, limit],
  );

const factsSchema = z.object({
  createdAt: isoTime,
  suspendedAt: isoTime.nullable(),
  suspendedReason: z.string().nullable(),
  creations: z.number(),
  published: z.number(),
  jobs: z.record(z.string(), z.number()).nullable(),
  sessions: z.number(),
  keys: z.number(),
});
const FACTS = `
  SELECT created_at AS "createdAt", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
    (SELECT count(*)::integer FROM creations WHERE user_id = users.id AND deleted_at IS NULL) AS creations,
    (SELECT count(*)::integer FROM creations WHERE user_id = users.id AND deleted_at IS NULL AND published) AS published,
    (SELECT jsonb_object_agg(status, n) FROM (
       SELECT status, count(*) AS n FROM jobs WHERE user_id = users.id GROUP BY status) AS counted) AS jobs,
    (SELECT count(*)::integer FROM auth_sessions WHERE "userId" = users.id AND "expiresAt" > now()) AS sessions,
    (SELECT count(*)::integer FROM api_keys WHERE user_id = users.id AND revoked_at IS NULL) AS keys
  FROM users WHERE id = $1`;
