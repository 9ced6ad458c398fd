import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Router, static as serveFiles, type Request, type RequestHandler, type Response } from 'express';
import { pageAddress, searchEngines } from './page-address.js';

/** Paths that are no pages of the web client. */
const NOT_A_PAGE = /^\/(api|admin|socket\.io|health|metrics|c|files|assets)(\/|$)/;

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
      // Read on each request, since a build may replace it.
      readFile(join(directory, request.path === '/' ? 'landing.html' : 'index.html'), 'utf8').then(
        (page) => response.type('html').send(withAddresses(page, publicUrl, request.path)),
        (error: Error) => (isMissing(error) ? answerNotBuilt(response) : next(error)),
      );
    });
}

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
