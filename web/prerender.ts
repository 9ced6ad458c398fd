import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { scriptsOf } from './preloads-plugin.ts';
import type * as PrerenderModule from './src/prerender';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const client = fileURLToPath(new URL('.', import.meta.url));

/**
 * Writes `landing.html`, a copy of `index.html` that contains the prerendered start page, so that visitors can read the page
 * before scripts have loaded or without scripts. The client hydrates the page (see src/main.tsx).
 * @param resolve the `resolve` options of the client's Vite config
 */
export function prerenderLanding(resolve: UserConfig['resolve']): Plugin {
  return {
    name: 'prerender-landing',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const page = readFileSync(join(dir, 'index.html'), 'utf8');
      writeFileSync(
        join(dir, 'landing.html'),
        insertLandingPage(page, await renderLandingPage(resolve), partsOf(bundle)),
      );
    },
  };
}

async function renderLandingPage(resolve: UserConfig['resolve']): Promise<string> {
  // A folder inside the project, so that Node.js finds the project's node_modules.
  const folder = mkdtempSync(join(dist, 'prerender-'));
  try {
    await build({
      configFile: false,
      root: client,
      resolve,
      publicDir: false,
      logLevel: 'warn',
      // Don't inline assets, so that their URLs equal those of the client's build.
      build: { ssr: 'src/prerender.tsx', outDir: folder, assetsInlineLimit: 0 },
    });
    const program = pathToFileURL(join(folder, 'prerender.js')).href;
    const prerender = (await import(program)) as typeof PrerenderModule;
    return await prerender.renderLandingPage();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Inserts the rendered page into index.html. React renders `<title>` first, because the component has no head element. */
function insertLandingPage(page: string, html: string, parts: string[]): string {
  const [, title, body] = /^(<title>.*?<\/title>)(.*)$/s.exec(html) ?? [];
  if (title === undefined || body === undefined)
    throw new Error('The start page was rendered without its title.');
  const replaced = (whole: string, [place, part]: [RegExp, (...found: string[]) => string]) => {
    if (!place.test(whole)) throw new Error(`index.html has no ${String(place)}.`);
    return whole.replace(place, part);
  };
  const places: [RegExp, (...found: string[]) => string][] = [
    [/<title>.*?<\/title>/, () => title],
    [/<div id="root"><\/div>/, () => `<div id="root">${body}</div>`],
    // The start page has its own main element, so the message must not be a second one.
    [/<main class="client-missing">([^]*?)<\/main>/, (_main, content = '') => clientMissing(content)],
    // Remove the module preloads, since public/load-client.js loads the client after the first paint.
    [/\s*<link rel="modulepreload"[^>]*>/g, () => ''],
    [
      /<script type="module" crossorigin src="([^"]*)"><\/script>/,
      (_tag, client = '') =>
        `<script defer src="/load-client.js" data-client="${client}" data-parts="${parts.join(' ')}"></script>`,
    ],
  ];
  return places.reduce(replaced, page);
}

const clientMissing = (content: string) =>
  `<section class="client-missing" aria-label="Loading">${content}</section>`;

/** URLs of all scripts that the start page needs, so that the browser can fetch the scripts in parallel. */
const partsOf = (bundle: Rolldown.OutputBundle): string[] =>
  [
    ...scriptsOf(
      bundle,
      ({ isEntry, facadeModuleId }) =>
        isEntry || facadeModuleId?.endsWith('features/landing/page.tsx') === true,
    ),
  ].map((file) => `/${file}`);
