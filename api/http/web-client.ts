import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Router, static as serveFiles, type Request, type RequestHandler, type Response } from 'express';
import { pageAddress, searchEngines } from './page-address.js';

/** Paths that are no pages of the web client, or have a handler of their own. */
const NOT_A_PAGE = /^\/(api|admin|socket\.io|health|metrics|c|t|files|assets)(\/|$)/;

/** The name under which Express holds the directory of the build, for handlers that send a page of it. */
export const WEB_BUILD_LOCAL = 'webBuild';

/**
 * Serves the built web client: hashed files cached for a year, everything else revalidated, and one HTML file for all
 * pages, since the client does the routing. The start page has its own, with prerendered content.
 * @param directory where Vite put the build
 * @param publicUrl the origin for absolute addresses
 */
export function webClient(directory: string, publicUrl: string): RequestHandler {
  return Router()
    .use(searchEngines(publicUrl))
    .use(serveFiles(directory, { index: false, redirect: false, setHeaders: cacheHeaders }))
    .use((request, response, next) => {
      if (!isPage(request)) return next();
      response.setHeader('Cache-Control', 'no-cache');
      sendPage(response, request.path === '/' ? 'landing.html' : 'index.html', (page) =>
        withAddresses(page, publicUrl, request.path),
      ).catch(next);
    });
}

/**
 * Sends a page of the web client, or 503 where it is not built.
 * @param change fills in what the server knows
 */
export async function sendPage(
  response: Response,
  file: string,
  change: (page: string) => string,
): Promise<void> {
  const directory = response.app.locals[WEB_BUILD_LOCAL] as string;
  // Read on each request, since a build may replace it.
  const page = await readFile(join(directory, file), 'utf8').catch((error: Error) => {
    if (!isMissing(error)) throw error;
  });
  if (page === undefined) answerNotBuilt(response);
  else response.type('html').send(change(page));
}

/** Fills in the absolute addresses of the page and the site, for previews and search engines. */
export const withAddresses = (page: string, publicUrl: string, path: string) =>
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
