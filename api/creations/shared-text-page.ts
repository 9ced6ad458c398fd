import escapeHtml from 'escape-html';
import { shorten } from '#libs/contract/text.js';
import { markdownSummary } from '#libs/contract/markdown.js';
import type { SharedText } from '#libs/contract/sharing.js';

const DESCRIPTION_MAX_CHARACTERS = 300;

/**
 * Replaces the placeholder in the web client's page by meta tags for link previews, or only by a title and `noindex` if
 * the text is not shared.
 */
export const withPreview = (page: string, text: SharedText | undefined): string =>
  page.replace(/<!-- preview -->[^]*<!-- \/preview -->/, () => tags(text));

function tags(text: SharedText | undefined): string {
  const title = escapeHtml(text?.title ?? 'Not shared');
  const robots = `<title>${title} · Pressroom</title>\n    <meta name="robots" content="noindex, nofollow">`;
  if (!text) return robots;
  const summary = shorten(markdownSummary(text.content), DESCRIPTION_MAX_CHARACTERS);
  const preview = Object.entries({
    'og:type': 'article',
    'og:site_name': 'Pressroom',
    'og:title': text.title,
    'og:description': summary,
    'twitter:card': 'summary',
  });
  return [
    robots,
    `<meta name="description" content="${escapeHtml(summary)}">`,
    '<meta property="og:url" content="{{page}}">',
    ...preview.map(
      ([name, content]) =>
        `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`,
    ),
  ].join('\n    ');
}
