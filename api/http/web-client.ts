import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Router, static as serveFiles, type Request, type RequestHandler, type Response } from 'express';
import type { Config } from '#libs/config/environment.js';
import { pageAddress, searchEngines } from './page-address.js';

type Settings = Pick<Config, 'publicUrl' | 'accounts'>;
type Accounts = Config['accounts']['kind'];

/** Paths that have their own handler, so they are not pages of the web client. */
const NOT_A_PAGE = /^\/(api|admin|mcp|\.well-known|socket\.io|health|metrics|c|t|files|assets)(\/|$)/;

/** Key in Express's `app.locals` for the directory of the web build. Used by handlers that send a page. */
export const WEB_BUILD_LOCAL = 'webBuild';

/**
 * Serves the built web client. Hashed files are cached for a year, other files are revalidated. All pages use the same
 * HTML file, since the client does the routing; only the start page has its own, with prerendered content.
 * @param directory output directory of Vite
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
 * Sends the web client's HTML for a path, or 503 if the client is not built.
 * @param change modifies the HTML, for example its meta tags
 */
export async function answerPage(
  { path }: Request,
  response: Response,
  { publicUrl, accounts }: Settings,
  change = (page: string) => page,
): Promise<void> {
  const directory = response.app.locals[WEB_BUILD_LOCAL] as string;
  const isStart = path === '/';
  // Read the file on each request, since a new build may replace it.
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

/** Scripts to preload for the accounts and for each page. Written by the build (web/preloads-plugin.ts). */
interface Preloads {
  accounts: Record<Accounts, string[]>;
  pages: Record<string, string[]>;
}

async function readPreloads(directory: string): Promise<Preloads> {
  const text = await readFile(join(directory, 'preloads.json'), 'utf8').catch(() => null);
  return text === null ? { accounts: { local: [], clerk: [] }, pages: {} } : (JSON.parse(text) as Preloads);
}

/**
 * Adds preload links for the page's scripts and the client's first API calls, so that the browser fetches them at once.
 */
function withPreloads(page: string, preloads: Preloads, path: string, accounts: Accounts): string {
  const calls = accounts === 'local' ? ['/api/config', '/api/auth/get-session'] : ['/api/config'];
  const address = path.replace(/\/$/, '');
  // An unlisted path, such as that of one creation, uses the scripts of its parent path.
  const own = preloads.pages[address] ?? preloads.pages[dirname(address)] ?? [];
  const scripts = new Set([...preloads.accounts[accounts], ...own]);
  // Put the API calls before the scripts, since browsers open only six connections per host.
  return page
    .replace('<title>', (tag) => links('rel="preload" as="fetch"', calls) + tag)
    .replace('</head>', (tag) => links('rel="modulepreload"', scripts) + tag);
}

const links = (attributes: string, addresses: Iterable<string>) =>
  Array.from(addresses, (address) => `<link ${attributes} crossorigin href="${address}">\n`).join('');

/** Inserts the absolute URLs of the page and the site, for link previews and search engines. */
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
