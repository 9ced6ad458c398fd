import escapeHtml from 'escape-html';
import type { Mail } from './mailer.js';

type Part = string | { label: string; link: string };

/** A mail to a user, as text and HTML. @param parts its paragraphs */
export function composeMail(to: string, subject: string, name: string, parts: Part[]): Mail {
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
