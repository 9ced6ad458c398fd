import { Argument, type Command } from 'commander';
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
    .description('revokes a key at once')
    .addArgument(user())
    .addArgument(new Argument('<key>', "the key's id, the part between prk_ and the next _"))
    .addOption(asJson())
    .action((idOrEmail: string, key: string, output: Output) =>
      withPlatform(terminal, async ({ userActions, users, act }) => {
        const { id } = await users.findUser(idOrEmail);
        await userActions.revokeKey(act, id, key);
        write(terminal, output, { revoked: key }, () => `Revoked ${key}.\n`);
      }),
    );
}
