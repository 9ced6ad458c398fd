import escapeHtml from 'escape-html';
import { Router, type RequestHandler } from 'express';

export const publicPages = ['/', '/terms', '/privacy'];
const disallowedPaths = ['/ai', '/api/'];

/** Absolute public URL of `path`, escaped for HTML. */
export function pageAddress(publicUrl: string, path: string): string {
  const address = new URL(publicUrl);
  address.pathname = path;
  return escapeHtml(address.href);
}

export function searchEngines(publicUrl: string): RequestHandler {
  const robots = [
    'User-agent: *',
    ...disallowedPaths.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${pageAddress(publicUrl, '/sitemap.xml')}`,
    '',
  ].join('\n');
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...publicPages.map((path) => `  <url><loc>${pageAddress(publicUrl, path)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
  return Router()
    .get('/robots.txt', (_request, response) => void response.type('text').send(robots))
    .get('/sitemap.xml', (_request, response) => void response.type('application/xml').send(sitemap));
}
