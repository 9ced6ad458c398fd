import { Argument, Option, type Command } from 'commander';
import { newClientId, OAuthClients, type OAuthClient } from '#libs/api-keys/oauth-clients.js';
import { asJson, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';
import { table } from './table.js';

export function appCommands(program: Command, terminal: Terminal): void {
  const apps = program
    .command('apps')
    .description('apps that may sign users in by OAuth, with local accounts');

  apps
    .command('list')
    .description('lists the apps')
    .addOption(asJson())
    .action((output: Output) =>
      withPlatform(terminal, async ({ dataSource }) => {
        const found = await new OAuthClients(dataSource).list();
        write(terminal, output, found, () => appTable(found));
      }),
    );

  apps
    .command('add')
    .description('registers an app, and prints the client id that it needs')
    .addArgument(new Argument('<name>', 'the name that users see when they allow the app'))
    .addOption(
      new Option(
        '--redirect <address...>',
        'addresses to which users return, as the app states them',
      ).makeOptionMandatory(),
    )
    .addOption(asJson())
    .action((name: string, { redirect, ...output }: Output & { redirect: string[] }) =>
      withPlatform(terminal, async ({ actions, act }) => {
        const clientId = newClientId();
        const app = await actions.change(
          act,
          'app.add',
          clientId,
          (transaction) => new OAuthClients(transaction).register({ clientId, name, redirectUris: redirect }),
          () => ({ name }),
        );
        write(terminal, output, app, () => appTable([app]));
      }),
    );

  apps
    .command('remove')
    .description('removes an app, and disconnects it from all users')
    .addArgument(new Argument('<client-id>'))
    .addOption(asJson())
    .action((clientId: string, output: Output) =>
      withPlatform(terminal, async ({ actions, act }) => {
        await actions.change(act, 'app.remove', clientId, (transaction) =>
          new OAuthClients(transaction).remove(clientId),
        );
        write(terminal, output, { removed: clientId }, () => `Removed ${clientId}.\n`);
      }),
    );
}

const appTable = (apps: OAuthClient[]) =>
  table(
    ['client id', 'name', 'registered by', 'redirect addresses'],
    apps.map(({ clientId, name, registeredBy, redirectUris }) => [
      clientId,
      name,
      registeredBy,
      redirectUris.join(' '),
    ]),
  );
