import { chromium, type Browser } from 'playwright-core';
import { build } from '../../scripts/stack/build.ts';
import { findProgram } from './machine-programs.ts';

/** Builds the web client, and starts the machine's Chromium without a window. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findProgram('browser');
  if (!executablePath) throw new Error('This suite needs Chromium on the path.');
  await build('web');
  return chromium.launch({
    executablePath,
    args: [
      // Chromium's sandbox does not work as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page of a test ends before optimised code would pay.
      '--js-flags=--no-opt --no-maglev',
    ],
  });
}
