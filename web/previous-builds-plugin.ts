import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Number of builds, including the current build, whose assets are kept. */
const BUILDS_KEPT = 3;

/**
 * Keeps the assets of previous builds, so that pages that are open during a deployment can still load chunks of their own
 * version. Vite's `emptyOutDir` must be false.
 * @param list path of a JSON file that lists the assets of each kept build, newest first
 */
export function previousBuilds(list: string): Plugin {
  return {
    name: 'previous-builds',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const assets = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
      keepBuilds(join(dir, 'assets'), list, assets.map((file) => file.slice('assets/'.length)).sort());
    },
  };
}

/** Deletes files of `folder` that belong to none of the kept builds. @param newest file names of the current build */
export function keepBuilds(folder: string, list: string, newest: string[]): void {
  const previous = readList(list).filter((build) => String(build) !== String(newest));
  const builds = [newest, ...previous].slice(0, BUILDS_KEPT);
  writeFileSync(list, JSON.stringify(builds));
  const kept = new Set(builds.flat());
  for (const name of readdirSync(folder))
    if (!kept.has(name.replace(/\.(br|gz)$/, ''))) rmSync(join(folder, name), { recursive: true });
}

function readList(list: string): string[][] {
  try {
    return JSON.parse(readFileSync(list, 'utf8')) as string[][];
  } catch {
    return [];
  }
}
