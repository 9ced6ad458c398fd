import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { run } from './processes.ts';
import { inRoot } from './root.ts';

interface Part {
  /** Patterns of all files that the result depends on, from the project's root. */
  sources: string[];
  /** Run one after the other. */
  commands: string[][];
}

/** JSON that modules import; the compiler leaves it out. */
const DATA_FILES = '{api,worker,libs}/**/*.json';

const swc = [
  'node_modules/@swc/cli/bin/swc.js',
  'api',
  'worker',
  'libs',
  'scripts',
  '--out-dir',
  'dist',
  '--quiet',
];

const parts = {
  servers: {
    sources: ['{api,worker,libs,scripts}/**/*.ts', DATA_FILES, '.swcrc', 'package.json', 'package-lock.json'],
    commands: [swc, ['scripts/stack/bundle.ts']],
  },
  web: {
    sources: ['web/**/*', 'libs/{contract,tools}/**/*.{ts,json}', 'package.json', 'package-lock.json'],
    commands: [
      ['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'],
    ],
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

/** Builds one part of the product, unless it is up to date. @returns whether it was built */
export async function build(name: PartName, signal?: AbortSignal): Promise<boolean> {
  const part: Part = parts[name];
  const stamp = inRoot('dist', `.${name}`);
  const state = digest(part);
  if (readStamp(stamp) === state) return false;
  rmSync(stamp, { force: true });
  if (name === 'servers') copyDataFiles();
  for (const command of part.commands) {
    await run(process.execPath, command, { cwd: inRoot(), cancelSignal: signal });
  }
  if (name === 'servers') removeStaleFiles();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
  return true;
}

function digest({ sources, commands }: Part): string {
  const hash = createHash('sha256').update(JSON.stringify(commands));
  const files = globSync(sources, { cwd: inRoot(), withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((file) => `${file.parentPath}/${file.name}`).sort()) {
    hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function copyDataFiles() {
  for (const file of globSync(DATA_FILES, { cwd: inRoot() })) cpSync(inRoot(file), inRoot('dist', file));
}

function removeStaleFiles() {
  for (const file of globSync(DATA_FILES, { cwd: inRoot('dist') })) {
    if (!existsSync(inRoot(file))) rmSync(inRoot('dist', file));
  }
  for (const compiled of globSync('{api,worker,libs,scripts}/**/*.js', { cwd: inRoot('dist') })) {
    if (!existsSync(inRoot(compiled.replace(/\.js$/, '.ts')))) rmSync(inRoot('dist', compiled));
  }
}

function readStamp(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
