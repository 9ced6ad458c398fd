import { createHash } from 'node:crypto';
import type { BetterAuthOptions } from 'better-auth';
import type { Mail, Mailer } from '#libs/mail/mailer.js';
import { accountMails } from './account-mails.js';

/** Seconds for which a link in a mail works. */
export const LINK_LIFETIME = 3_600;

export const RESET_PAGE = '/reset-password';
const CONFIRMED_PAGE = '/?email=confirmed';
const CHANGE_CONFIRMED_PAGE = '/?email=agreed';

/** Counts a mail to a recipient. Returns false if it must not be sent. `key` is a hash of the address. */
export type MailLimit = (key: string) => Promise<boolean>;

export interface LocalAccountsMail {
  mailer: Mailer;
  /** Limits the mails to one recipient, regardless of who requests them. */
  mayMail: MailLimit;
}

/**
 * better-auth's options for sending mail. Users must confirm their address before they can sign in. Responses do not reveal
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
    onCodesGuessed: async ({ name, email }: { name: string; email: string }) =>
      send('codes-guessed', accountMails.codesGuessed(email, name, publicUrl)),
    emailAndPassword: {
      requireEmailVerification: true,
      sendResetPassword: async ({ user, token }) =>
        send('reset', accountMails.reset(user.email, user.name, `${publicUrl}${RESET_PAGE}?token=${token}`)),
      onPasswordReset: async ({ user }) =>
        send('password-changed', accountMails.passwordChanged(user.email, user.name, publicUrl)),
      onExistingUserSignUp: async ({ user }) =>
        send('has-account', accountMails.hasAccount(user.email, user.name, publicUrl)),
    },
    emailVerification: {
      expiresIn: LINK_LIFETIME,
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
          accountMails.changeAddress(
            user.email,
            user.name,
            newEmail,
            confirmLink(token, CHANGE_CONFIRMED_PAGE),
          ),
        ),
    },
  } satisfies Pick<BetterAuthOptions, 'emailVerification'> & {
    emailAndPassword: Partial<BetterAuthOptions['emailAndPassword']>;
    changeEmail: NonNullable<BetterAuthOptions['user']>['changeEmail'];
    onCodesGuessed: (user: { name: string; email: string }) => Promise<void>;
  };
}
