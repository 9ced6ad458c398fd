import { Argument, type Command } from 'commander';
import type { ReportedPicture } from '#libs/contract/admin.js';
import { listReportedPictures, type Decided } from '#libs/creations/moderation.js';
import { AppError } from '#libs/contract/errors.js';
import { oneLine, withoutControls } from '#libs/contract/text.js';
import { asJson, wholeNumber, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The commands for what users publish. */
export function creationCommands(program: Command, terminal: Terminal): void {
  const creations = program.command('creations').description('decides about what users publish');
  const id = () =>
    new Argument('<id>', "the creation's id, the end of its public address /c/…").argParser(uuid);

  creations
    .command('takedown')
    .description('ends the publication and the share link of a creation, which its user cannot make again')
    .addArgument(id())
    .addOption(asJson())
    .action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ actions, act }) => {
        const { userId, wasPublic } = await actions.takeDown(act, creation);
        write(
          terminal,
          output,
          { id: creation, userId, wasPublic },
          () => `Took down ${creation} of ${userId}${wasPublic ? '' : ', which was not public'}.\n`,
        );
      }),
    );

  creations
    .command('reports')
    .description(
      'pictures with open reports or an appeal, and those that wait for an approval, the oldest first',
    )
    .option('--limit <number>', 'how many', wholeNumber(1_000), 50)
    .addOption(asJson())
    .action(({ limit, ...output }: Output & { limit: number }) =>
      withPlatform(terminal, async ({ dataSource, publicUrl }) => {
        const pictures = await listReportedPictures(dataSource, { publicUrl, limit });
        write(
          terminal,
          output,
          pictures,
          () => pictures.map(describe).join('\n') || 'Nothing is reported.\n',
        );
      }),
    );

  const decide = (
    name: 'approve' | 'hide' | 'restore',
    description: string,
    said: (decided: Decided) => string,
  ) => {
    const command = creations.command(name).description(description).addArgument(id()).addOption(asJson());
    command.action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ actions, act }) => {
        const decided = await actions.decide(act, name, creation);
        write(terminal, output, { id: creation, ...decided }, () => `${said(decided)}\n`);
      }),
    );
  };
  const nowPublic = ({ isPublished, userId }: Decided) =>
    isPublished ? 'It is public.' : `It is not public; ${userId} may publish it.`;

  decide('approve', 'publishes a picture that waits or was refused', nowPublic);
  decide('hide', 'hides a picture, and decides its reports', () => 'It is hidden.');
  decide(
    'restore',
    'shows a hidden picture again; lets the user of a creation that was taken down publish it again',
    nowPublic,
  );

  creations
    .command('dismiss')
    .description('closes the reports of a picture, which stays as it is')
    .addArgument(id())
    .addOption(asJson())
    .action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ actions, act }) => {
        const dismissed = await actions.dismissReports(act, creation);
        write(terminal, output, { id: creation, dismissed }, () => `Closed ${dismissed} reports.\n`);
      }),
    );
}

/** What an operator needs to decide. The words of users are on lines of their own. */
function describe(picture: ReportedPicture): string {
  const { id, userId, image, state, cause, appeal, isAppealOpen, openReports, countedReports } = picture;
  return [
    `${id} of ${userId}: ${state === null || state === 'approved' ? 'public' : `${state} (${cause})`}, ${openReports} open reports, of which ${countedReports} count`,
    `  picture: ${image}`,
    `  caption: ${plain(picture.caption)}`,
    ...picture.reports.map(
      ({ reason, words, counts, userId: reporter }) =>
        `  ${reason}${counts ? '' : ' (does not count)'} by ${reporter}${words && `: ${plain(words)}`}`,
    ),
    ...(appeal === null ? [] : [`  ${isAppealOpen ? 'open appeal' : 'appeal'}: ${plain(appeal)}`]),
    '',
  ].join('\n');
}

/** One line of a user's text, without characters that steer a terminal. */
const plain = (text: string) => oneLine(withoutControls(text));

function uuid(text: string): string {
  if (UUID.test(text)) return text;
  throw new AppError('NOT_FOUND', `There is no creation with the id "${text}".`);
}
