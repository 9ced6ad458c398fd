import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '#libs/contract/errors.js';
import { readSecondFactors, removeSecondFactors, type SecondFactors } from '#libs/accounts/second-factor.js';
import { signOutEverywhere } from '#libs/accounts/sign-out.js';
import type { User } from '#libs/accounts/users.js';
import type { Credits, Plan } from '#libs/contract/account.js';
import { grantCredits, readCredits, takeCredits } from '#libs/billing/credits.js';
import { withPlatform } from './platform.js';
import { asJson, type Output } from './options.js';
import type { Terminal } from './terminal.js';
import { list } from './table.js';

const userArgument = () => new Argument('<person>', "the person's email or id");

const PLAN_IS_SET_IN_CLERK =
  'With Clerk the plan is not set here: the person subscribes, or you set {"plan": "premium"} in the private metadata of the user at Clerk.';

const SECOND_FACTORS_ARE_AT_CLERK =
  'With Clerk second factors are not kept here: remove them in the user’s page at Clerk.';

const SESSIONS_ARE_AT_CLERK = 'With Clerk sessions are not kept here: end them in the user’s page at Clerk.';

export function userCommands(program: Command, terminal: Terminal): void {
  program
    .command('plan')
    .description("sets a person's plan")
    .addArgument(userArgument())
    .addArgument(new Argument('<plan>', 'the plan').choices(['free', 'premium']))
    .addOption(asJson())
    .action((idOrEmail: string, plan: Plan, { json }: Output) =>
      withPlatform(terminal, async ({ users, accountEvents, accounts }) => {
        if (accounts === 'clerk') throw new AppError('FORBIDDEN', PLAN_IS_SET_IN_CLERK);
        const user = await users.setPlan(idOrEmail, plan);
        await accountEvents.accountChanged(user.id);
        show(terminal, json, user, userEntries(user));
      }),
    );

  program
    .command('credits')
    .description("shows a person's credits of this month, adds to them, or takes some away")
    .addArgument(userArgument())
    .addOption(new Option('--grant <credits>', 'credits to add').argParser(wholeNumber))
    .addOption(
      new Option('--take <credits>', 'credits to take away').argParser(wholeNumber).conflicts('grant'),
    )
    .addOption(new Option('--note <text>', 'why, for the ledger').default('by an operator'))
    .addOption(asJson())
    .action(
      (
        idOrEmail: string,
        { grant, take, note, json }: Output & { grant?: number; take?: number; note: string },
      ) =>
        withPlatform(terminal, async ({ dataSource, users, accountEvents }) => {
          const user = await users.findUser(idOrEmail);
          if (grant !== undefined) await grantCredits(dataSource, user.id, grant, note);
          if (take !== undefined) await takeCredits(dataSource, user.id, take, note);
          if (grant ?? take) await accountEvents.accountChanged(user.id);
          const credits = await readCredits(dataSource, user.id, user.plan);
          show(terminal, json, { ...user, credits }, { ...userEntries(user), ...creditEntries(credits) });
        }),
    );

  program
    .command('admin')
    .description('makes a person an operator')
    .addArgument(userArgument())
    .option('--remove', 'takes it back')
    .addOption(asJson())
    .action((idOrEmail: string, { remove, json }: Output & { remove?: boolean }) =>
      withPlatform(terminal, async ({ users }) => {
        const user = await users.setRole(idOrEmail, remove ? 'person' : 'admin');
        show(terminal, json, user, userEntries(user));
      }),
    );

  program
    .command('sign-out')
    .description('ends all sessions of a person, and the trust in their browsers')
    .addArgument(userArgument())
    .addOption(asJson())
    .action((idOrEmail: string, { json }: Output) =>
      withPlatform(terminal, async ({ dataSource, users, accountEvents, accounts }) => {
        if (accounts === 'clerk') throw new AppError('FORBIDDEN', SESSIONS_ARE_AT_CLERK);
        const user = await users.findUser(idOrEmail);
        const sessions = await signOutEverywhere(dataSource, user.id);
        for (const id of sessions) accountEvents.sessionEnded({ id, userId: user.id }, true);
        logAction(terminal, user.id, 'An operator ended the sessions of a user');
        const ended = { 'ended sessions': sessions.length };
        show(terminal, json, { ...user, endedSessions: sessions.length }, { ...userEntries(user), ...ended });
      }),
    );

  program
    .command('two-factor')
    .description('shows whether a person has a second factor, or removes it for somebody who is locked out')
    .addArgument(userArgument())
    .option(
      '--remove',
      'removes the authenticator app with its recovery codes, trusted browsers, and passkeys',
    )
    .addOption(asJson())
    .action((idOrEmail: string, { remove, json }: Output & { remove?: boolean }) =>
      withPlatform(terminal, async ({ dataSource, users, accounts }) => {
        if (accounts === 'clerk') throw new AppError('FORBIDDEN', SECOND_FACTORS_ARE_AT_CLERK);
        const user = await users.findUser(idOrEmail);
        if (remove) {
          await removeSecondFactors(dataSource, user.id);
          logAction(terminal, user.id, 'An operator removed the second factors of a user');
        }
        const factors = await readSecondFactors(dataSource, user.id);
        show(terminal, json, { ...user, ...factors }, { ...userEntries(user), ...factorEntries(factors) });
      }),
    );
}

function show(
  terminal: Terminal,
  json: boolean | undefined,
  value: object,
  entries: Parameters<typeof list>[0],
): void {
  terminal.write(json ? `${JSON.stringify(value, null, 2)}\n` : list(entries));
}

/** A line as the servers log, for whoever collects them; standard output is the command's answer. */
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

const MAX_CREDITS = 1_000_000;

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MAX_CREDITS) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_CREDITS}.`);
}
