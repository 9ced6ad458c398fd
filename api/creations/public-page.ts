import escapeHtml from 'escape-html';
import { oneLine, shorten } from '#libs/contract/text.js';
import { logo } from '#libs/contract/logo.js';
import type { PublishedImage } from '#libs/creations/published-images.service.js';

const TITLE_MAX_CHARACTERS = 80;
const DESCRIPTION_MAX_CHARACTERS = 300;

/** Public HTML page of a published image, with meta tags for link previews on other sites. */
export function publicPage(image: PublishedImage, publicUrl: string): string {
  const url = `${publicUrl}/c/${image.id}`;
  const prompt = oneLine(image.prompt) || 'An image';
  const title = shorten(prompt, TITLE_MAX_CHARACTERS);
  const description = shorten(
    `${prompt}. By ${image.author}, made with Pressroom.`,
    DESCRIPTION_MAX_CHARACTERS,
  );
  const preview = Object.entries({
    'og:site_name': 'Pressroom',
    'og:type': 'article',
    'og:url': url,
    'og:title': title,
    'og:description': description,
    'og:image': `${url}/image`,
    'og:image:alt': title,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': `${url}/image`,
  });
  const day = image.created_at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const maker = `${image.engine === 'offline' ? 'Made on this server' : 'Made with an AI model'}${image.model === null ? '' : ` · ${escapeHtml(image.model)}`}`;
  return page(
    title,
    `<link rel="canonical" href="${escapeHtml(url)}">
    <meta name="description" content="${escapeHtml(description)}">
    ${preview.map(([name, content]) => `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`).join('\n    ')}`,
    `<figure>
        <img src="/c/${image.id}/image" alt="${escapeHtml(title)}">
        <figcaption>
          <h1>${escapeHtml(prompt)}</h1>
          <p>By <strong>${escapeHtml(image.author)}</strong> · <time datetime="${image.created_at.toISOString()}">${day}</time> · ${maker}</p>
        </figcaption>
      </figure>`,
    `<a class="quiet" rel="nofollow" href="/ai/community?report=${image.id}">Report this picture</a>`,
  );
}

export const withdrawnPage = (): string =>
  page(
    'Not on show',
    '<meta name="robots" content="noindex">',
    `<h1>Not on show</h1>
      <p>There is no public image at this address. It may have been withdrawn by its author.</p>`,
  );

function page(title: string, head: string, body: string, link = ''): string {
  return `<!doctype html>
<html lang="en" data-theme="dark">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="theme-color" content="#131210">
    <script src="/theme.js"></script>
    <link rel="stylesheet" href="/fonts.css">
    <title>${escapeHtml(title)} · Pressroom</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    ${head}
    <style>${STYLE}</style>
  </head>
  <body>
    <header><a href="/">${LOGO}Pressroom</a></header>
    <main>
      ${body}
    </main>
    <footer><a class="action" href="/">Make your own with Pressroom</a>${link}</footer>
  </body>
</html>
`;
}

const { size, center, ringRadius, dotRadius, lines, strokeWidth } = logo;
const LOGO =
  `<svg aria-hidden="true" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" fill="none" stroke="currentColor" stroke-width="${strokeWidth}">` +
  `<circle cx="${center}" cy="${center}" r="${ringRadius}"/><path d="${lines}"/>` +
  `<circle cx="${center}" cy="${center}" r="${dotRadius}" fill="var(--accent)" stroke="none"/></svg>`;

// Colours copied from web/src/app/styles/theme.css. The theme script and the fonts are the web client's files.
const STYLE = `
:root { color-scheme: dark; --page: #131210; --ink: #f3eee6; --quiet: #aea597; --line: #2e2b26; --accent: #e8502f; --on-accent: #131210 }
[data-theme='light'] {
  color-scheme: light; --page: #faf7f2; --ink: #1b1a17; --quiet: #5f594f; --line: #e4ded3; --accent: #c23b1c; --on-accent: #fff
}
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: flex; flex-direction: column; gap: 32px; padding: 24px clamp(16px, 4vw, 48px);
  background: var(--page); color: var(--ink); font: 16px/1.6 'Instrument Sans', system-ui, sans-serif }
a { color: inherit }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px }
header a, h1 { font-family: Fraunces, Georgia, serif }
header a { display: inline-flex; min-height: 44px; align-items: center; gap: 10px; font-size: 20px; font-weight: 560; text-decoration: none }
main { flex: 1; width: 100%; max-width: 72rem; margin: 0 auto; display: grid; align-content: center; gap: 8px }
figure { display: grid; gap: 24px; width: fit-content; max-width: 100%; margin: 0 auto }
img { display: block; max-width: 100%; max-height: 72vh; margin: 0 auto; border-radius: 10px }
figcaption { width: 0; min-width: max(100%, min(20rem, 80vw)) }
h1, strong { unicode-bidi: plaintext }
h1 { font-size: clamp(20px, 3vw, 28px); font-weight: 500; line-height: 1.3; overflow-wrap: anywhere }
p { margin-top: 8px; color: var(--quiet); overflow-wrap: anywhere }
strong { color: var(--ink); font-weight: 600 }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 12px; padding-top: 24px; border-top: 1px solid var(--line) }
footer .quiet { display: inline-flex; min-height: 44px; align-items: center; color: var(--quiet) }
.action { display: inline-block; padding: 10px 18px; border-radius: 8px; background: var(--accent);
  color: var(--on-accent); text-decoration: none; font-weight: 600 }
`;
