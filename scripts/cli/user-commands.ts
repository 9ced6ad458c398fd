import { Argument, Option, type Command } from 'commander';
import { AppError } from '#libs/contract/errors.js';
import { readSecondFactors, removeSecondFactors, type SecondFactors } from '#libs/accounts/second-factor.js';
import { RESET_PAGE } from '#libs/accounts/local/mail-options.js';
import { createResetToken } from '#libs/accounts/local/outdated-links.js';
import { requireNewestSecret } from '#libs/accounts/local/secret-fingerprints.js';
import { deleteSigningKeys, reEncrypt } from '#libs/accounts/local/secrets.js';
import { signOutAll } from '#libs/accounts/sign-out.js';
import type { User } from '#libs/accounts/users.js';
import type { Credits, Plan } from '#libs/contract/account.js';
import { readCredits } from '#libs/billing/credits.js';
import { withPlatform } from './platform.js';
import { asJson, wholeNumber, write, type Output, type Terminal } from './command-line.js';
import { list } from './table.js';

const SECOND_FACTORS_ARE_AT_CLERK =
  'With Clerk second factors are not stored here: remove them on the user’s page at Clerk.';

const SESSIONS_ARE_AT_CLERK =
  'With Clerk sessions are not stored here: end them on the user’s page at Clerk.';

const PASSWORDS_ARE_AT_CLERK =
  'With Clerk passwords are not stored here: the user resets the password at the sign-in.';

const creditCount = wholeNumber(1_000_000);

export function userCommands(program: Command, terminal: Terminal): void {
  const userCommand = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .addArgument(new Argument('<user>', "the user's email or id"))
      .addOption(asJson());

  userCommand('plan', "sets a user's plan")
    .addArgument(new Argument('<plan>', 'the plan').choices(['free', 'premium']))
    .action((idOrEmail: string, plan: Plan, output: Output) =>
      withPlatform(terminal, async ({ users, userActions, act }) => {
        const { id } = await users.findUser(idOrEmail);
        const user = await userActions.setPlan(act, id, plan);
        write(terminal, output, user, () => list(userEntries(user)));
      }),
    );

  userCommand('credits', "shows a user's credits of this month, adds credits, or takes credits away")
    .addOption(new Option('--grant <credits>', 'credits to add').argParser(creditCount))
    .addOption(
      new Option('--take <credits>', 'credits to take away').argParser(creditCount).conflicts('grant'),
    )
    .option('--note <text>', 'the same as --reason')
    .action(
      (
        idOrEmail: string,
        { grant, take, note, ...output }: Output & { grant?: number; take?: number; note?: string },
      ) =>
        withPlatform(terminal, async ({ dataSource, users, userActions, prices, act }) => {
          const user = await users.findUser(idOrEmail);
          const amount = (grant ?? 0) - (take ?? 0);
          if (amount !== 0)
            await userActions.giveCredits({ ...act, reason: note ?? act.reason }, user.id, amount);
          const credits = await readCredits(dataSource, user.id, user.plan, new Date(), prices.grants.free);
          write(terminal, output, { ...user, credits }, () =>
            list({ ...userEntries(user), ...creditEntries(credits) }),
          );
        }),
    );

  userCommand('admin', 'makes a user an operator')
    .option('--remove', 'removes the role of operator')
    .action((idOrEmail: string, { remove, ...output }: Output & { remove?: boolean }) =>
      withPlatform(terminal, async ({ users, userActions, act }) => {
        const { id } = await users.findUser(idOrEmail);
        const user = await userActions.setRole(act, id, remove ? 'person' : 'admin');
        write(terminal, output, user, () => list(userEntries(user)));
      }),
    );

  program
    .command('sign-out')
    .description(
      'ends all sessions and connected apps of a user, or of all users, and the trust in their browsers',
    )
    .addArgument(new Argument('[user]', "the user's email or id"))
    .option('--all', 'of all users')
    .option('--yes', 'confirms --all')
    .addOption(asJson())
    .action(
      (idOrEmail: string | undefined, { all, yes, ...output }: Output & { all?: boolean; yes?: boolean }) =>
        withPlatform(terminal, async (platform) => {
          const { users, accountEvents, accounts, actions, userActions, act } = platform;
          if (accounts === 'clerk') throw new AppError('FORBIDDEN', SESSIONS_ARE_AT_CLERK);
          if ((idOrEmail === undefined) !== (all === true))
            throw new AppError('VALIDATION_FAILED', 'Name a user, or use --all.');
          if (idOrEmail === undefined) {
            if (!yes)
              throw new AppError('VALIDATION_FAILED', 'This signs all users out. Confirm it with --yes.');
            const ended = await actions.change(act, 'user.sign-out', 'all', signOutAll, ({ length }) => ({
              sessions: length,
            }));
            for (const session of ended) accountEvents.sessionEnded(session, true);
            write(
              terminal,
              output,
              { endedSessions: ended.length },
              () => `Ended ${ended.length} sessions.\n`,
            );
            return;
          }
          const user = await users.findUser(idOrEmail);
          const endedSessions = await userActions.signOutUser(act, user.id);
          logAction(terminal, user.id, 'An operator ended the sessions of a user');
          write(terminal, output, { ...user, endedSessions }, () =>
            list({ ...userEntries(user), 'ended sessions': endedSessions }),
          );
        }),
    );

  program
    .command('re-encrypt')
    .description(
      'encrypts authenticator apps, recovery codes and signing keys with AUTH_SECRET, so that AUTH_SECRET_PREVIOUS can go',
    )
    .option('--new-keys', 'deletes the signing keys too, after a leak, so that new ones are made')
    .addOption(asJson())
    .action(({ newKeys = false, ...output }: Output & { newKeys?: boolean }) =>
      withPlatform(terminal, async ({ actions, authSecrets, act }) => {
        if (!authSecrets) throw new AppError('VALIDATION_FAILED', 'Set AUTH_SECRET as the apis have it.');
        const counts = await actions.change(
          act,
          'secret.re-encrypt',
          'AUTH_SECRET',
          async (transaction) => {
            await requireNewestSecret(transaction, authSecrets.current);
            return {
              deletedKeys: newKeys ? await deleteSigningKeys(transaction) : 0,
              ...(await reEncrypt(transaction, authSecrets)),
            };
          },
          (found) => found,
        );
        write(
          terminal,
          output,
          counts,
          () =>
            `${newKeys ? `${counts.deletedKeys} signing keys are deleted. ` : ''}${counts.encrypted} texts are encrypted with AUTH_SECRET now.${counts.unreadable > 0 ? ` ${counts.unreadable} could be decrypted by no secret.` : ' AUTH_SECRET_PREVIOUS can be removed.'}\n`,
        );
      }),
    );

  userCommand(
    'password',
    'creates a link with which a user chooses a new password, valid for an hour',
  ).action((idOrEmail: string, output: Output) =>
    withPlatform(terminal, async ({ users, accounts, publicUrl, actions, act }) => {
      if (accounts === 'clerk') throw new AppError('FORBIDDEN', PASSWORDS_ARE_AT_CLERK);
      const user = await users.findUser(idOrEmail);
      const token = await actions.change(act, 'user.password-link', user.id, (transaction) =>
        createResetToken(transaction, user.id),
      );
      const link = `${publicUrl}${RESET_PAGE}?token=${token}`;
      logAction(terminal, user.id, 'An operator created a link to reset a password');
      write(terminal, output, { ...user, link }, () => list({ ...userEntries(user), link }));
    }),
  );

  userCommand('two-factor', "shows a user's second factors, or removes them for a user who is locked out")
    .option(
      '--remove',
      'removes the authenticator app with its recovery codes, trusted browsers, and passkeys',
    )
    .action((idOrEmail: string, { remove, ...output }: Output & { remove?: boolean }) =>
      withPlatform(terminal, async ({ dataSource, users, accounts, actions, act }) => {
        if (accounts === 'clerk') throw new AppError('FORBIDDEN', SECOND_FACTORS_ARE_AT_CLERK);
        const user = await users.findUser(idOrEmail);
        if (remove) {
          await actions.change(act, 'user.remove-two-factor', user.id, (transaction) =>
            removeSecondFactors(transaction, user.id),
          );
          logAction(terminal, user.id, 'An operator removed the second factors of a user');
        }
        const factors = await readSecondFactors(dataSource, user.id);
        write(terminal, output, { ...user, ...factors }, () =>
          list({ ...userEntries(user), ...factorEntries(factors) }),
        );
      }),
    );
}

/** Writes a log line in the servers' format to stderr, because stdout has the command's answer. */
function logAction(terminal: Terminal, userId: string, msg: string): void {
  terminal.writeError(`${JSON.stringify({ level: 40, time: Date.now(), program: 'cli', userId, msg })}\n`);
}

const factorEntries = ({ authenticatorApp, passkeys }: SecondFactors) => ({
  'authenticator app': authenticatorApp ? 'yes' : 'no',
  passkeys,
});

const userEntries = ({ id, name, email, plan, role }: User) => ({ id, name, email, plan, role });

const creditEntries = ({ allowance, used, remaining, renewsAt }: Credits) => ({
  allowance: allowance ?? 'unlimited',
  used,
  remaining: remaining ?? 'unlimited',
  renews: renewsAt?.slice(0, 10) ?? null,
});
