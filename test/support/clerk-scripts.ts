import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../scripts/stack/root.ts';

/**
 * The scripts that Clerk serves to browsers, from its packages. They are not dependencies of the project: as such they would
 * bring a thousand others, of which browsers need none.
 */
const PACKAGES = { 'clerk-js': '@clerk/clerk-js@6.34.1', ui: '@clerk/ui@1.34.0' };
const FETCH_MS = 60_000;

/**
 * The folder with Clerk's scripts for browsers, fetched once by npm and kept; null where the registry cannot be
 * reached, except in CI, where that is an error.
 */
export function clerkScripts(): string | null {
  const kept = inRoot(
    'node_modules',
    '.cache',
    'clerk-scripts',
    Object.values(PACKAGES).join('+').replaceAll('/', '-'),
  );
  if (existsSync(kept)) return kept;
  const home = join(kept, '..');
  mkdirSync(home, { recursive: true });
  const work = mkdtempSync(join(home, 'fetch-'));
  try {
    const names = Object.values(PACKAGES);
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...names], {
      cwd: work,
      timeout: FETCH_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    const files = filesOf(packed.toString());
    Object.keys(PACKAGES).forEach((name, index) => {
      mkdirSync(join(work, name));
      execFileSync('tar', ['xzf', files[index] ?? '', '-C', name, '--strip-components=1', 'package/dist'], {
        cwd: work,
      });
      rmSync(join(work, files[index] ?? ''));
    });
    renameSync(work, kept);
    return kept;
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another run may have been first.
    if (existsSync(kept)) return kept;
    if (process.env.CI === 'true') throw error;
    return null;
  }
}

/** The names of the archives that npm lists, in the order of the arguments. */
function filesOf(output: string): string[] {
  const list: unknown = JSON.parse(output);
  const entries = Object.values(list as Record<string, { filename: string }>);
  return entries.map(({ filename }) => filename.replace(/^@/, '').replaceAll('/', '-'));
}
