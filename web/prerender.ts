import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite';
import type * as Drawing from './src/prerender';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const client = fileURLToPath(new URL('.', import.meta.url));

/**
 * Writes `landing.html` beside `index.html`: the same page with the start page already drawn in it, so that a visitor
 * reads it before any script is there, or without. The script takes over what it finds (see src/main.tsx).
 * @param resolve how the client's own imports are found
 */
export function prerenderLanding(resolve: UserConfig['resolve']): Plugin {
  return {
    name: 'prerender-landing',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const page = readFileSync(join(dir, 'index.html'), 'utf8');
      writeFileSync(join(dir, 'landing.html'), withLanding(page, await drawn(resolve), scriptsOf(bundle)));
    },
  };
}

/** The start page as HTML, drawn by the client's own code, which is built for Node.js to do so. */
async function drawn(resolve: UserConfig['resolve']): Promise<string> {
  // In the project, where Node.js finds the packages.
  const folder = mkdtempSync(join(dist, 'prerender-'));
  try {
    await build({
      configFile: false,
      root: client,
      resolve,
      publicDir: false,
      logLevel: 'warn',
      // Assets keep their names, which are made of what they hold.
      build: { ssr: 'src/prerender.tsx', outDir: folder, assetsInlineLimit: 0 },
    });
    const program = pathToFileURL(join(folder, 'prerender.js')).href;
    const { prerendered } = (await import(program)) as typeof Drawing;
    return await prerendered();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the parts where they belong. React gives the title first, since it has no head to put it in. */
function withLanding(page: string, html: string, parts: string[]): string {
  const [, title, body] = /^(<title>.*?<\/title>)(.*)$/s.exec(html) ?? [];
  if (title === undefined || body === undefined)
    throw new Error('The start page was drawn without its title.');
  const replaced = (whole: string, [place, part]: [RegExp, (...found: string[]) => string]) => {
    if (!place.test(whole)) throw new Error(`index.html has no ${String(place)}.`);
    return whole.replace(place, part);
  };
  const places: [RegExp, (...found: string[]) => string][] = [
    [/<title>.*?<\/title>/, () => title],
    [/<div id="root"><\/div>/, () => `<div id="root">${body}</div>`],
    // The start page has a main part of its own.
    [/<main class="late">([^]*?)<\/main>/, (_main, words = '') => lateWords(words)],
    // The client is fetched and started after the first paint (see public/take-over.js).
    [/\s*<link rel="modulepreload"[^>]*>/g, () => ''],
    [
      /<script type="module" crossorigin src="([^"]*)"><\/script>/,
      (_tag, client = '') =>
        `<script defer src="/take-over.js" data-client="${client}" data-parts="${parts.join(' ')}"></script>`,
    ],
  ];
  return places.reduce(replaced, page);
}

const lateWords = (words: string) => `<section class="late" aria-label="Loading">${words}</section>`;

/** Every script that the start page needs, so that the browser fetches them side by side. */
function scriptsOf(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
  const files = new Set<string>();
  const add = (file: string) => {
    const part = bundle[file];
    if (part?.type !== 'chunk' || files.has(file)) return;
    files.add(file);
    part.imports.forEach(add);
  };
  for (const { fileName, isEntry, facadeModuleId } of chunks)
    if (isEntry || facadeModuleId?.endsWith('features/landing/page.tsx')) add(fileName);
  return [...files].map((file) => `/${file}`);
}
