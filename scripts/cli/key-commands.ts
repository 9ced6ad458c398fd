import { Argument, type Command } from 'commander';
import { AppError } from '#libs/contract/errors.js';
import { asJson, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';
import { table } from './table.js';

export function keyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys of users');
  const user = () => new Argument('<user>', "the user's email or id");

  keys
    .command('list')
    .description("lists a user's keys with their use this month")
    .addArgument(user())
    .addOption(asJson())
    .action((idOrEmail: string, output: Output) =>
      withPlatform(terminal, async ({ apiKeys, users }) => {
        const { id } = await users.findUser(idOrEmail);
        const found = await apiKeys.list(id);
        write(terminal, output, found, () =>
          table(
            ['id', 'name', 'scopes', 'jobs', 'credits', 'last used', 'expires'],
            found.map(({ id, name, scopes, usage, lastUsedAt, expiresAt }) => [
              ...[id, name, scopes.join(','), usage.jobs, usage.credits],
              ...[lastUsedAt, expiresAt],
            ]),
          ),
        );
      }),
    );

  keys
    .command('revoke')
    .description('revokes a key, or those of all users with their connected apps, at once')
    .addArgument(new Argument('[user]', "the user's email or id"))
    .addArgument(new Argument('[key]', "the key's id, the part between prk_ and the next _"))
    .option('--all', 'the keys of all users')
    .option('--yes', 'confirms --all')
    .addOption(asJson())
    .action(
      (
        idOrEmail: string | undefined,
        key: string | undefined,
        { all = false, yes, ...output }: Output & { all?: boolean; yes?: boolean },
      ) =>
        withPlatform(terminal, async ({ userActions, users, act }) => {
          if (all && idOrEmail === undefined) {
            if (!yes)
              throw new AppError(
                'VALIDATION_FAILED',
                'This revokes the keys of all users. Confirm it with --yes.',
              );
            const revoked = await userActions.revokeAllKeys(act);
            write(terminal, output, { revokedKeys: revoked }, () => `Revoked ${revoked} keys.\n`);
            return;
          }
          if (all || idOrEmail === undefined || key === undefined)
            throw new AppError('VALIDATION_FAILED', 'Name a user and a key, or use --all alone.');
          const { id } = await users.findUser(idOrEmail);
          await userActions.revokeKey(act, id, key);
          write(terminal, output, { revoked: key }, () => `Revoked ${key}.\n`);
        }),
    );
}
