import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Router, static as serveFiles, type Request, type RequestHandler, type Response } from 'express';
import type { Config } from '#libs/config/environment.js';
import { pageAddress, searchEngines } from './page-address.js';

type Settings = Pick<Config, 'publicUrl' | 'accounts'>;
type Accounts = Config['accounts']['kind'];

/** Paths that are not pages of the web client, or have their own handler. */
const NOT_A_PAGE = /^\/(api|admin|socket\.io|health|metrics|c|t|files|assets)(\/|$)/;

/** The key in Express's `locals` of the build's directory, for handlers that send a page. */
export const WEB_BUILD_LOCAL = 'webBuild';

/**
 * Serves the built web client: hashed files cached for a year, everything else revalidated, and one HTML file for all
 * pages, since the client does the routing. The start page has its own, with prerendered content.
 * @param directory where Vite put the build
 */
export function webClient(directory: string, { publicUrl, accounts }: Settings): RequestHandler {
  return Router()
    .use(searchEngines(publicUrl))
    .use(serveFiles(directory, { index: false, redirect: false, setHeaders: cacheHeaders }))
    .use((request, response, next) => {
      if (!isPage(request)) return next();
      response.setHeader('Cache-Control', 'no-cache');
      answerPage(request, response, { publicUrl, accounts }).catch(next);
    });
}

/**
 * Answers with the web client's page for a path, or with 503 before it was built.
 * @param change changes the HTML, such as its meta tags
 */
export async function answerPage(
  { path }: Request,
  response: Response,
  { publicUrl, accounts }: Settings,
  change = (page: string) => page,
): Promise<void> {
  const directory = response.app.locals[WEB_BUILD_LOCAL] as string;
  const isStart = path === '/';
  // Read on each request, since a build may replace it.
  const page = await readFile(join(directory, isStart ? 'landing.html' : 'index.html'), 'utf8').catch(
    (error: Error) => {
      if (!isMissing(error)) throw error;
    },
  );
  if (page === undefined) return answerNotBuilt(response);
  const whole = withAddresses(change(page), publicUrl, path);
  response
    .type('html')
    .send(isStart ? whole : withPreloads(whole, await readPreloads(directory), path, accounts.kind));
}

/** The scripts of the accounts and of each page, written by the build (web/preloads-plugin.ts). */
interface Preloads {
  accounts: Record<Accounts, string[]>;
  pages: Record<string, string[]>;
}

async function readPreloads(directory: string): Promise<Preloads> {
  const text = await readFile(join(directory, 'preloads.json'), 'utf8').catch(() => null);
  return text === null ? { accounts: { local: [], clerk: [] }, pages: {} } : (JSON.parse(text) as Preloads);
}

/** Adds preload links for the page's scripts and the client's first calls, so that the browser fetches them at once. */
function withPreloads(page: string, preloads: Preloads, path: string, accounts: Accounts): string {
  const calls = accounts === 'local' ? ['/api/config', '/api/auth/get-session'] : ['/api/config'];
  const address = path.replace(/\/$/, '');
  // An unlisted address belongs to its folder's page, such as that of a creation.
  const own = preloads.pages[address] ?? preloads.pages[dirname(address)] ?? [];
  const scripts = new Set([...preloads.accounts[accounts], ...own]);
  // Browsers open six connections, so the calls come before the scripts.
  return page
    .replace('<title>', (tag) => links('rel="preload" as="fetch"', calls) + tag)
    .replace('</head>', (tag) => links('rel="modulepreload"', scripts) + tag);
}

const links = (attributes: string, addresses: Iterable<string>) =>
  Array.from(addresses, (address) => `<link ${attributes} crossorigin href="${address}">\n`).join('');

/** Fills in the absolute addresses of the page and the site, for previews and search engines. */
const withAddresses = (page: string, publicUrl: string, path: string) =>
  page
    .replaceAll('{{page}}', () => pageAddress(publicUrl, path))
    .replaceAll('{{site}}', () => pageAddress(publicUrl, '/'));

function cacheHeaders(response: Response, file: string): void {
  const isHashed = /[\\/]assets[\\/][^\\/]+$/.test(file);
  response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}

const isPage = (request: Request) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !NOT_A_PAGE.test(request.path) &&
  !/\.\w+$/.test(request.path) &&
  request.accepts('html') !== false;

const isMissing = (error: Error) => 'code' in error && error.code === 'ENOENT';

function answerNotBuilt(response: Response): void {
  response
    .status(503)
    .type('html')
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pressroom</title>' +
        '<h1>The web client is not built yet</h1><p>Run <code>npm run build</code>, then load this page again. ' +
        'The API works without it.</p></html>',
    );
}
