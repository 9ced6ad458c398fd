import { createHash } from 'node:crypto';
import type { BetterAuthOptions } from 'better-auth';
import type { Mail, Mailer } from '#libs/mail/mailer.js';
import { accountMails } from '#libs/mail/account-mails.js';

/** Seconds that links are good for; the mails say so. */
const LINK_LIVES = 3_600;

/** Where links of mails lead, under the public address. The web client has these pages. */
export const RESET_PAGE = '/reset-password';
const CONFIRMED_PAGE = '/?email=confirmed';
const AGREED_PAGE = '/?email=agreed';

/** Decides whether one more mail may go to a recipient; by a key that does not tell who it is. */
export type MailLimit = (key: string) => Promise<boolean>;

export interface LocalAccountsMail {
  mailer: Mailer;
  /** Mails to one address are few, whoever asks for them and from wherever. */
  mayMail: MailLimit;
}

/**
 * better-auth's options where mail is sent: an address is confirmed before its first sign-in, and no answer tells
 * whether an address has an account.
 */
export function mailOptions(publicUrl: string, { mailer, mayMail }: LocalAccountsMail) {
  const send = async (kind: string, mail: Mail) => {
    const recipient = createHash('sha256').update(mail.to.toLowerCase()).digest('base64url');
    if (await mayMail(`mail/${kind}/${recipient}`)) mailer.send(kind, mail);
  };
  const confirmLink = (token: string, page: string) =>
    `${publicUrl}/api/auth/verify-email?token=${token}&callbackURL=${encodeURIComponent(page)}`;
  return {
    emailAndPassword: {
      requireEmailVerification: true,
      resetPasswordTokenExpiresIn: LINK_LIVES,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) =>
        send('reset', accountMails.reset(user.email, user.name, `${publicUrl}${RESET_PAGE}?token=${token}`)),
      onPasswordReset: async ({ user }) =>
        send('password-changed', accountMails.passwordChanged(user.email, user.name, publicUrl)),
      onExistingUserSignUp: async ({ user }) =>
        send('has-account', accountMails.hasAccount(user.email, user.name, publicUrl)),
    },
    emailVerification: {
      expiresIn: LINK_LIVES,
      sendOnSignUp: true,
      sendOnSignIn: true,
      sendVerificationEmail: async ({ user, token }) =>
        send('confirm', accountMails.confirm(user.email, user.name, confirmLink(token, CONFIRMED_PAGE))),
    },
    changeEmail: {
      enabled: true,
      sendChangeEmailConfirmation: async ({ user, newEmail, token }) =>
        send(
          'change-address',
          accountMails.changeAddress(user.email, user.name, newEmail, confirmLink(token, AGREED_PAGE)),
        ),
    },
  } satisfies Pick<BetterAuthOptions, 'emailVerification'> & {
    emailAndPassword: Partial<BetterAuthOptions['emailAndPassword']>;
    changeEmail: NonNullable<BetterAuthOptions['user']>['changeEmail'];
  };
}
