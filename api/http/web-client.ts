import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Router, static as serveFiles, type Request, type RequestHandler, type Response } from 'express';
import { systemClock } from '#libs/config/clock.js';
import type { Config } from '#libs/config/environment.js';
import { pageAddress, publicPages, searchEngines } from './page-address.js';
import type { RateLimits } from './rate-limits.js';
import { sendCompressed } from './send-compressed.js';

type Settings = Pick<Config, 'publicUrl' | 'accounts'>;
type Accounts = Config['accounts']['kind'];

/** Paths that have their own handler, so they are not pages of the web client. */
const NOT_A_PAGE = /^\/(api|admin\/queues|mcp|\.well-known|socket\.io|health|metrics|c|t|files|assets)(\/|$)/;

/** Key in Express's `app.locals` for the directory of the web build. Used by handlers that send a page. */
export const WEB_BUILD_LOCAL = 'webBuild';

/**
 * Serves the built web client. Hashed files are cached for a year, other files are revalidated. All pages use the same
 * HTML file, since the client does the routing; only the start page has its own, with prerendered content.
 * @param directory output directory of Vite
 */
export function webClient(
  directory: string,
  settings: Settings,
  limits: Pick<RateLimits, 'countAddress'>,
): RequestHandler {
  const files = serveFiles(directory, { index: false, redirect: false, setHeaders: fileHeaders });
  return Router()
    .use(searchEngines(settings.publicUrl))
    .use(async (request, response, next) => {
      if (!isPage(request) && !isFile(request)) return next('router');
      await limits.countAddress(request.ip, response, 'pages');
      next();
    })
    .use(compressedFiles(files))
    .use(files)
    .use((request, response, next) => {
      if (!isPage(request)) return next();
      response.setHeader('Cache-Control', 'no-cache');
      renderPage(request, response, settings)
        .then((page) =>
          page === null ? answerNotBuilt(response) : sendCompressed(request, response.type('html'), page),
        )
        .catch(next);
    });
}

/** Sends the file that the build compressed, if the client accepts it. */
function compressedFiles(files: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { url } = request;
    const found = Object.entries(ENCODINGS).find(([, encoding]) => request.acceptsEncodings(encoding));
    if (!isCompressed(request.path) || !found) return next();
    request.url = `${request.path}${found[0]}`;
    void files(request, response, (error?: unknown) => {
      request.url = url;
      next(error);
    });
  };
}

/**
 * Sends the web client's HTML for a path, or 503 if the client is not built. It is not compressed: its texts are many, and short.
 * @param change modifies the HTML, for example its meta tags
 */
export async function answerPage(
  request: Request,
  response: Response,
  settings: Settings,
  change: (page: string) => string,
): Promise<void> {
  const { path } = request;
  const page = await renderPage(request, response, settings, { change, address: () => path });
  if (page === null) answerNotBuilt(response);
  else response.type('html').send(page);
}

interface Changes {
  change?: (page: string) => string;
  /** The path that the page states as its own. */
  address?: (path: string, preloads: Preloads) => string;
}

/** @returns null if the client is not built */
async function renderPage(
  { path }: Request,
  response: Response,
  { publicUrl, accounts }: Settings,
  { change = (page: string) => page, address = addressOfPage }: Changes = {},
): Promise<string | null> {
  const build = await readBuild(response.app.locals[WEB_BUILD_LOCAL] as string);
  const isStart = path === '/';
  const page = isStart ? build.landing : build.index;
  if (page === undefined) return null;
  const whole = withAddresses(change(page), publicUrl, address(path, build.preloads));
  return isStart ? whole : withPreloads(whole, build.preloads, path, accounts.kind);
}

/** Scripts to preload for the accounts and for each page. Written by the build (web/preloads-plugin.ts). */
interface Preloads {
  accounts: Record<Accounts, string[]>;
  pages: Record<string, string[]>;
}

interface Build {
  /** Undefined if the client is not built. */
  index: string | undefined;
  landing: string | undefined;
  preloads: Preloads;
}

/** Milliseconds after which the files of the build are read again, since a new build may replace them. */
const BUILD_READ_MS = 1_000;
const builds = new Map<string, { readAt: number; build: Promise<Build> }>();

function readBuild(directory: string): Promise<Build> {
  const now = systemClock.elapsed();
  const known = builds.get(directory);
  if (known && now - known.readAt < BUILD_READ_MS) return known.build;
  const build = readBuildFiles(directory);
  builds.set(directory, { readAt: now, build });
  build.catch(() => builds.delete(directory));
  return build;
}

async function readBuildFiles(directory: string): Promise<Build> {
  const [index, landing, preloads] = await Promise.all(
    ['index.html', 'landing.html', 'preloads.json'].map((name) => readIfPresent(join(directory, name))),
  );
  const none: Preloads = { accounts: { local: [], clerk: [] }, pages: {} };
  return { index, landing, preloads: preloads === undefined ? none : (JSON.parse(preloads) as Preloads) };
}

const readIfPresent = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: Error) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });

/**
 * Adds preload links for the page's scripts and the client's first API calls, so that the browser fetches them at once.
 */
function withPreloads(page: string, preloads: Preloads, path: string, accounts: Accounts): string {
  const calls = accounts === 'local' ? ['/api/config', '/api/auth/get-session'] : ['/api/config'];
  const own = preloads.pages[listedPath(path, preloads) ?? ''] ?? [];
  const scripts = new Set([...preloads.accounts[accounts], ...own]);
  // Put the API calls before the scripts, since browsers open only six connections per host.
  return page
    .replace('<title>', (tag) => links('rel="preload" as="fetch"', calls) + tag)
    .replace('</head>', (tag) => links('rel="modulepreload"', scripts) + tag);
}

/** The listed path of a page. An unlisted path, such as that of one creation, has the page of its parent path. */
function listedPath(path: string, { pages }: Preloads): string | undefined {
  const address = withoutSlash(path);
  return [address, dirname(address)].find((one) => Object.hasOwn(pages, one));
}

/** One of few, so that random paths have one text, which is compressed once. */
const addressOfPage = (path: string, preloads: Preloads) =>
  listedPath(path, preloads) ?? publicPages.find((one) => one === withoutSlash(path)) ?? '/';

const withoutSlash = (path: string) => path.replace(/\/$/, '');

const links = (attributes: string, addresses: Iterable<string>) =>
  Array.from(addresses, (address) => `<link ${attributes} crossorigin href="${address}">\n`).join('');

/** Inserts the absolute URLs of the page and the site, for link previews and search engines. */
const withAddresses = (page: string, publicUrl: string, path: string) =>
  page
    .replaceAll('{{page}}', () => pageAddress(publicUrl, path))
    .replaceAll('{{site}}', () => pageAddress(publicUrl, '/'));

function fileHeaders(response: Response, file: string): void {
  const isHashed = /[\\/]assets[\\/][^\\/]+$/.test(file);
  response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  const [end, encoding] = Object.entries(ENCODINGS).find(([name]) => file.endsWith(name)) ?? [];
  if (!end || !encoding) return;
  response.setHeader('Content-Encoding', encoding).vary('Accept-Encoding');
  response.type(extname(file.slice(0, -end.length)));
}

/** Encodings of the files that the build compressed (web/compress-plugin.ts), by the ends of their names, best first. */
const ENCODINGS = { '.br': 'br', '.gz': 'gzip' };
const isCompressed = (path: string) => /\.(js|mjs|css|svg)$/.test(path);
/** True for files of the build, whether or not they exist. */
const isFile = ({ path }: Request) => /^\/(assets|pdf|sounds)\/|^\/[^/]+\.\w+$/.test(path);

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
