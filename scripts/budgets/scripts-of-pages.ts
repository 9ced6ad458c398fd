import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

/** A page has loaded when it has sent no request for this long. */
const IDLE_MS = 1_500;

/** The paths of the scripts that a page loads without user interaction. */
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
  while (performance.now() - last < IDLE_MS) await pause(100);
  await page.close();
  return scripts;
}

const sizes = new Map<string, Promise<number>>();

/** The gzipped size of these scripts in bytes. */
export async function gzippedBytes(address: string, scripts: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const script of scripts) {
    const size = sizes.get(script) ?? transferred(new URL(script, address));
    sizes.set(script, size);
    sum += await size;
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
