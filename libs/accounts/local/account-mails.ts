import { composeMail } from '#libs/mail/compose-mail.js';
import type { Mail } from '#libs/mail/mailer.js';

export const accountMails = {
  confirm: (to: string, name: string, link: string): Mail =>
    composeMail(to, 'Confirm your email address', name, [
      'Confirm this address to use it with Pressroom:',
      { label: 'Confirm the address', link },
      'The link is valid for one hour. If you did not ask for this, ignore this email: the address will not be used.',
    ]),
  reset: (to: string, name: string, link: string): Mail =>
    composeMail(to, 'Set a new password', name, [
      'We received a request to set a new password for your Pressroom account:',
      { label: 'Set a new password', link },
      'The link is valid for one hour and works once. If you did not ask for this, ignore this email: your password stays the same.',
    ]),
  hasAccount: (to: string, name: string, link: string): Mail =>
    composeMail(to, 'You already have an account', name, [
      'We received a request to sign up with this address, which already has an account at Pressroom:',
      { label: 'Sign in', link },
      'If you forgot your password, you can reset it there. If this was not you, ignore this email: nothing was changed.',
    ]),
  changeAddress: (to: string, name: string, newAddress: string, link: string): Mail =>
    composeMail(to, 'Change your email address', name, [
      `We received a request to change the address of your Pressroom account to ${newAddress}:`,
      { label: 'Confirm the change', link },
      'The link is valid for one hour. We then send a second link to the new address. If this was not you, do not open the link, and change your password.',
    ]),
  codesGuessed: (to: string, name: string, link: string): Mail =>
    composeMail(to, 'Somebody knows your password', name, [
      'Somebody entered your password and then ten wrong codes of your authenticator app. They were not signed in.',
      'If this was not you, change your password. Codes from new devices are refused for a quarter of an hour; your devices, passkeys and recovery codes work.',
      { label: 'Open Pressroom', link },
    ]),
  passwordChanged: (to: string, name: string, link: string): Mail =>
    composeMail(to, 'Your password was changed', name, [
      'The password of your Pressroom account was changed with a link sent to this address, and you were signed out everywhere.',
      { label: 'Open Pressroom', link },
      'If this was not you, reset your password there.',
    ]),
};
