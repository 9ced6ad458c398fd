import { Argument, type Command } from 'commander';
import { AppError } from '#libs/contract/errors.js';
import { asJson, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The commands for what users publish. They show no content. */
export function creationCommands(program: Command, terminal: Terminal): void {
  const creations = program.command('creations').description('takes creations down, and allows them again');
  const id = () =>
    new Argument('<id>', "the creation's id, the end of its public address /c/…").argParser(uuid);

  creations
    .command('takedown')
    .description('ends the publication and the share link of a creation, which its user cannot make again')
    .addArgument(id())
    .option('--reason <text>', 'why; its user is told')
    .addOption(asJson())
    .action((creation: string, { reason, ...output }: Output & { reason?: string }) =>
      withPlatform(terminal, async ({ actions, operator }) => {
        const { userId, wasPublic } = await actions.takeDown({ operator, reason }, creation);
        write(
          terminal,
          output,
          { id: creation, userId, wasPublic },
          () => `Took down ${creation} of ${userId}${wasPublic ? '' : ', which was not public'}.\n`,
        );
      }),
    );

  creations
    .command('restore')
    .description('lets the user of a creation publish it again')
    .addArgument(id())
    .addOption(asJson())
    .action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ actions, operator }) => {
        const { userId } = await actions.restorePublishing({ operator }, creation);
        write(terminal, output, { id: creation, userId }, () => `${userId} may publish ${creation} again.\n`);
      }),
    );
}

function uuid(text: string): string {
  if (UUID.test(text)) return text;
  throw new AppError('NOT_FOUND', `There is no creation with the id "${text}".`);
}
