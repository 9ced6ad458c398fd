import { Argument, Option, type Command } from 'commander';
import {
  shownCreations,
  type CreationContents,
  type ModeratedCreation,
  type ModerationQuery,
} from '#libs/contract/admin.js';
import { listModeratedCreations, type Decided } from '#libs/creations/moderation.js';
import { AppError } from '#libs/contract/errors.js';
import { oneLine, UUID, withoutControls } from '#libs/contract/text.js';
import {
  afterCursor,
  asJson,
  wholeNumber,
  write,
  writeMore,
  type Output,
  type Terminal,
} from './command-line.js';
import { withPlatform } from './platform.js';

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
      withPlatform(terminal, async ({ creationActions, act }) => {
        const taken = await creationActions.takeDown(act, creation);
        const { userId, wasPublic, changed } = taken;
        write(terminal, output, { id: creation, ...taken }, () =>
          changed
            ? `Took down ${creation} of ${userId}${wasPublic ? '' : ', which was not public'}.\n`
            : `${creation} was taken down before, and the first reason stays.\n`,
        );
      }),
    );

  creations
    .command('reports')
    .description(
      'pictures with open reports or an appeal, and those that wait for an approval, the oldest first',
    )
    .addOption(
      new Option('--show <list>', 'hidden or published creations instead, the newest first')
        .choices(shownCreations)
        .default('open'),
    )
    .addOption(afterCursor('creations'))
    .option('--limit <number>', 'how many', wholeNumber(1_000), 50)
    .addOption(asJson())
    .action(
      ({ limit, show, cursor, ...output }: Output & Pick<ModerationQuery, 'limit' | 'show' | 'cursor'>) =>
        withPlatform(terminal, async ({ dataSource, publicUrl }) => {
          const { creations: found, nextCursor } = await listModeratedCreations(dataSource, {
            ...{ publicUrl, show, limit, cursor },
          });
          if (nextCursor !== null) writeMore(terminal, `${found.length} creations`, nextCursor);
          write(terminal, output, found, () => found.map(describe).join('\n') || 'There are none.\n');
        }),
    );

  creations
    .command('reveal')
    .description('the caption and content of a creation, also while it is private')
    .addArgument(id())
    .addOption(asJson())
    .action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ creationActions, act, publicUrl }) => {
        const contents = await creationActions.revealCreation(act, creation, publicUrl);
        write(terminal, output, contents, () => `${describeContents(contents)}\n`);
      }),
    );

  const decide = (
    name: 'approve' | 'hide' | 'restore',
    description: string,
    said: (decided: Decided) => string,
  ) => {
    const command = creations.command(name).description(description).addArgument(id()).addOption(asJson());
    command.action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ creationActions, act }) => {
        const decided = await creationActions.decide(act, name, creation);
        write(terminal, output, { id: creation, ...decided }, () => `${said(decided)}\n`);
      }),
    );
  };
  const nowPublic = ({ isPublished, userId }: Decided) =>
    isPublished ? 'It is public.' : `It is not public; ${userId} may publish it.`;

  decide('approve', 'publishes a picture that waits or was refused', nowPublic);
  decide('hide', 'hides a picture, and decides its reports', ({ changed }) =>
    changed ? 'It is hidden.' : 'It was hidden before, and the first reason stays.',
  );
  decide(
    'restore',
    'shows a hidden picture again; lets the user of a creation that was taken down publish it again',
    (decided) =>
      decided.changed ? nowPublic(decided) : 'It was neither hidden nor taken down: nothing changed.',
  );

  creations
    .command('dismiss')
    .description('closes the reports of a picture and the answer of its owner; it stays as it is')
    .addArgument(id())
    .addOption(asJson())
    .action((creation: string, output: Output) =>
      withPlatform(terminal, async ({ creationActions, act }) => {
        const { reports, appeal } = await creationActions.dismissReports(act, creation);
        write(
          terminal,
          output,
          { id: creation, dismissed: reports, appeal },
          () => `Closed ${reports} reports${appeal ? ' and the appeal' : ''}.\n`,
        );
      }),
    );
}

/** What an operator needs to decide. The words of users are on lines of their own. */
function describe(creation: ModeratedCreation): string {
  const { id, userId, published, state, cause, contents, appeal, isAppealOpen } = creation;
  const { openReports, countedReports } = creation;
  const place = published
    ? 'public'
    : state === null || state === 'approved'
      ? 'private'
      : `${state} (${cause})`;
  return [
    `${id} of ${userId}: ${place}, ${openReports} open reports, of which ${countedReports} count`,
    ...(contents ? [describeContents(contents)] : []),
    ...creation.reports.map(
      ({ reason, words, counts, userId: reporter }) =>
        `  ${reason}${counts ? '' : ' (does not count)'} by ${reporter}${words && `: ${plain(words)}`}`,
    ),
    ...(appeal === null ? [] : [`  ${isAppealOpen ? 'open appeal' : 'appeal'}: ${plain(appeal)}`]),
    '',
  ].join('\n');
}

const describeContents = ({ image, caption, text }: Partial<CreationContents> & { caption: string }) =>
  [
    ...(image ? [`  picture: ${image}`] : []),
    `  caption: ${plain(caption)}`,
    ...(text ? [`  text: ${plain(text)}`] : []),
  ].join('\n');

/** One line of a user's text, without characters that steer a terminal. */
const plain = (text: string) => oneLine(withoutControls(text));

function uuid(text: string): string {
  if (UUID.test(text)) return text;
  throw new AppError('NOT_FOUND', `There is no creation with the id "${text}".`);
}
