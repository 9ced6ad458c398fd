import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

/** Resolves when nothing was fetched for this long: what a page loads by itself is there. */
const QUIET_MS = 1_500;

/** The scripts that a page loads by itself, before anybody touches it: their paths. */
export async function scriptsOf(context: BrowserContext, path: string): Promise<Set<string>> {
  const page = await context.newPage();
  const scripts = new Set<string>();
  let last = performance.now();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/socket.io')) return;
    last = performance.now();
    if (pathname.endsWith('.js') || request.resourceType() === 'script') scripts.add(pathname);
  });
  await page.goto(path);
  while (performance.now() - last < QUIET_MS) await pause(100);
  await page.close();
  return scripts;
}

const sizes = new Map<string, Promise<number>>();

/** What the server sends over the wire for these scripts, gzipped, in bytes. */
export async function gzippedBytes(address: string, scripts: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const script of scripts) {
    const known = sizes.get(script) ?? transferred(new URL(script, address));
    sizes.set(script, known);
    sum += await known;
  }
  return sum;
}

const transferred = (url: URL) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url.href} answered ${answer.statusCode}.`));
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('end', () => resolve(bytes));
      answer.on('error', reject);
    }).on('error', reject);
  });
