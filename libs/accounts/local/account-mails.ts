import escapeHtml from 'escape-html';
import type { Mail } from '#libs/mail/mailer.js';

export const accountMails = {
  confirm: (to: string, name: string, link: string): Mail =>
    compose(to, 'Confirm your email address', name, [
      'Confirm this address to use it with Pressroom:',
      { label: 'Confirm the address', link },
      'The link is good for one hour. If you did not ask for this, do nothing: without it the address is not used.',
    ]),
  reset: (to: string, name: string, link: string): Mail =>
    compose(to, 'Set a new password', name, [
      'Somebody, probably you, asked for a new password for your Pressroom account:',
      { label: 'Set a new password', link },
      'The link is good for one hour and works once. If you did not ask for this, do nothing: your password stays.',
    ]),
  hasAccount: (to: string, name: string, link: string): Mail =>
    compose(to, 'You have an account already', name, [
      'Somebody, probably you, tried to sign up at Pressroom with this address. It has an account already:',
      { label: 'Sign in', link },
      'If you forgot the password, ask for a new one there. If it was not you, do nothing: nothing was changed.',
    ]),
  changeAddress: (to: string, name: string, newAddress: string, link: string): Mail =>
    compose(to, 'Change your email address', name, [
      `Somebody, probably you, wants to change the address of your Pressroom account to ${newAddress}:`,
      { label: 'Agree to the change', link },
      'The link is good for one hour. A second one then goes to the new address. If it was not you, do nothing and change your password.',
    ]),
  passwordChanged: (to: string, name: string, link: string): Mail =>
    compose(to, 'Your password was changed', name, [
      'The password of your Pressroom account was changed by a link sent to this address, and all its sessions were ended.',
      { label: 'Open Pressroom', link },
      'If it was not you, ask for a new password there.',
    ]),
};

type Part = string | { label: string; link: string };

function compose(to: string, subject: string, name: string, parts: Part[]): Mail {
  const greeting = `Hello ${name},`;
  return {
    to,
    subject: `${subject} – Pressroom`,
    text: [greeting, ...parts.map((part) => (typeof part === 'string' ? part : part.link)), 'Pressroom'].join(
      '\n\n',
    ),
    html:
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;color:#1c1917;max-width:34rem">' +
      [greeting, ...parts]
        .map((part) => `<p>${typeof part === 'string' ? escapeHtml(part) : linkOf(part)}</p>`)
        .join('') +
      '<p>Pressroom</p></body></html>',
  };
}

const linkOf = ({ label, link }: { label: string; link: string }) =>
  `<a href="${escapeHtml(link)}">${escapeHtml(label)}</a><br><small>${escapeHtml(link)}</small>`;
