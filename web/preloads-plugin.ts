import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const client = fileURLToPath(new URL('.', import.meta.url));

/** For each path of the signed-in area, the modules that src/app/routes.tsx loads lazily. */
const workspacePages: Record<string, string[]> = {
  '/ai': ['features/dashboard/page'],
  '/ai/creations': ['features/dashboard/creation-page'],
  '/ai/community': ['features/community/page'],
  '/ai/flows': ['features/runs/run-list-pages', 'features/runs/flow-page'],
  '/ai/batches': ['features/runs/run-list-pages', 'features/runs/batch-page'],
  ...Object.fromEntries(
    globSync('src/features/tools/*/page.tsx', { cwd: client }).map((file) => {
      const segment = basename(dirname(file));
      return [`/ai/${segment}`, [`features/tools/${segment}/page`]];
    }),
  ),
};

const accounts = {
  local: 'features/account/local/local-session',
  clerk: 'features/account/clerk/clerk-session',
};

/**
 * Writes `preloads.json`, which lists the scripts that each page needs in addition to the scripts of index.html. The api
 * adds preload links for them (api/http/web-client.ts), so that the browser fetches all scripts in parallel.
 */
export function preloadsPlugin(): Plugin {
  return {
    name: 'preloads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const entry = scriptsOf(bundle, ({ isEntry }) => isEntry);
      const preloads = (modules: string[]) => {
        const files = new Set(modules.map((module) => `${client}src/${module}.tsx`));
        const scripts = scriptsOf(bundle, ({ facadeModuleId }) => files.delete(facadeModuleId ?? ''));
        if (files.size > 0) throw new Error(`No chunk begins with ${[...files].join(', ')}.`);
        return [...scripts].filter((file) => !entry.has(file)).map((file) => `/${file}`);
      };
      const source = JSON.stringify({
        accounts: mapValues(accounts, (module) => preloads([module])),
        pages: mapValues(workspacePages, (modules) => preloads(['app/workspace-layout', ...modules])),
      });
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source });
    },
  };
}

/** File names of the chunks for which `isFirst` returns true, and of all chunks that they import. */
export function scriptsOf(
  bundle: Rolldown.OutputBundle,
  isFirst: (chunk: Rolldown.OutputChunk) => boolean,
): Set<string> {
  const files = new Set<string>();
  const add = (file: string) => {
    const part = bundle[file];
    if (part?.type !== 'chunk' || files.has(file)) return;
    files.add(file);
    part.imports.forEach(add);
  };
  for (const part of Object.values(bundle)) if (part.type === 'chunk' && isFirst(part)) add(part.fileName);
  return files;
}

const mapValues = <V, R>(record: Record<string, V>, change: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
