/**
 * Entry point of every npm script: installs the packages of package-lock.json, then runs the actual script, in TypeScript,
 * on the project's pinned Node.js. This file must be plain JavaScript without dependencies and run on Node.js 20 or later.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => join(root, ...parts);
/** npm's list of installed packages, in the format of package-lock.json. npm writes this file at the end of an install. */
const installedPackages = inRoot('node_modules', '.package-lock.json');
const installLock = inRoot('.installing');
const pinnedNode = inRoot('node_modules', '.bin', 'node');
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a script on the pinned Node.js and exits with the same code or signal.
 *
 * @param {string} script path relative to the project's root
 * @param {{args?: string[], ownGroup?: boolean, compileCache?: boolean}} options
 *   `args`: the script's arguments; default: the arguments of this process.
 *   `ownGroup`: for a script that manages child processes. It gets a process group of its own, so that Ctrl-C reaches it
 *   once, through this process, and does not reach the script's children.
 *   `compileCache`: caches the compiled script, so that the next start does not load the TypeScript compiler (20 MB).
 */
export async function runOnPinnedNode(
  script,
  { args = process.argv.slice(2), ownGroup = false, compileCache = false } = {},
) {
  await install();
  const child = spawn(pinnedNode, [inRoot(script), ...args], {
    cwd: root,
    env: {
      ...(compileCache && { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'compiled') }),
      ...process.env,
      PATH: [inRoot('node_modules', '.bin'), process.env.PATH].join(delimiter),
    },
    stdio: ownGroup ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: ownGroup,
  });
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', ownGroup ? forward : () => {});
  process.on('SIGTERM', forward);
  process.on('SIGHUP', forward);
  onNpmExit(() => forward('SIGHUP'));
  exitLike(await ending(child));
}

async function install() {
  if (isInstalled()) return;
  await acquireInstallLock();
  const release = () => rmSync(installLock, { force: true });
  process.once('exit', release);
  if (!isInstalled()) await installNow();
  process.off('exit', release);
  release();
}

async function installNow() {
  refuseWhileRunning();
  console.log('Installing the packages that package-lock.json names; the first time takes a minute or so.');
  rmSync(installedPackages, { force: true });
  // Override npm settings of the user or of the calling npm that would omit packages.
  const outcome = await runNpm([
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--dry-run=false',
    '--global=false',
  ]);
  if (outcome.code !== 0) {
    console.error('The packages are not installed; the next try starts afresh.');
    exitLike(outcome);
  }
  if (!existsSync(pinnedNode)) {
    console.error(
      'The packages are installed, but the pinned Node.js is missing: its install script did not run.',
    );
    process.exit(1);
  }
}

/** True if node_modules has the pinned Node.js and the packages of package-lock.json for this platform. */
function isInstalled() {
  const installed = readPackages(installedPackages);
  if (!installed || !existsSync(pinnedNode)) return false;
  const locked = readPackages(inRoot('package-lock.json'));
  const isLocked = ([path, { version, integrity, os, cpu }]) =>
    locked[path]?.version === version &&
    locked[path].integrity === integrity &&
    allows(os, process.platform) &&
    allows(cpu, process.arch);
  // Optional packages may be missing: npm omits those for other platforms and those that it could not download.
  const isPresent = ([path, { optional }]) => path === '' || optional || path in installed;
  return Object.entries(installed).every(isLocked) && Object.entries(locked).every(isPresent);
}

/** True if the `os` or `cpu` list of a package allows `name`. A list has allowed names, or excluded names such as `!win32`. */
function allows(names, name) {
  return (
    !names || names.includes(name) || names.some((other) => other.startsWith('!') && other !== `!${name}`)
  );
}

function readPackages(lockFile) {
  const text = readText(lockFile);
  return text && JSON.parse(text).packages;
}

/** Waits until no other command installs packages. Removes the lock file of a process that was killed. */
async function acquireInstallLock() {
  for (let waiting = false; ; waiting = true) {
    try {
      writeFileSync(installLock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readText(installLock);
    if (holder !== undefined && holder !== '' && !isAlive(Number(holder))) {
      rmSync(installLock, { force: true });
    } else {
      if (!waiting) console.log('Another command is installing the packages; waiting for it.');
      await pause(500);
    }
  }
}

/** Exits with an error while Pressroom runs, because an install empties node_modules, which a running Pressroom needs. */
function refuseWhileRunning() {
  const settings = { ...readSettings(), ...process.env };
  const running = readText(resolve(root, settings.DATA_DIR || '.data', 'running.json'));
  const pid = running && JSON.parse(running).pid;
  if (pid && isAlive(pid)) {
    console.error(`The packages have changed, but Pressroom is running (process ${pid}); stop it first.`);
    process.exit(1);
  }
}

function readSettings() {
  const text = readText(inRoot('.env')) ?? '';
  return Object.fromEntries(
    [...text.matchAll(/^\s*(DATA_DIR)\s*=\s*"?([^"\n]*?)"?\s*$/gm)].map((m) => [m[1], m[2]]),
  );
}

/** Runs the npm that runs this script, or the one on the path. A signal to this process stops it. */
async function runNpm(args) {
  const self = process.env.npm_execpath;
  const [command, first] = self && /\.c?js$/.test(self) ? [process.execPath, [self]] : ['npm', []];
  const npm = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Skip ONNX Runtime's install script, which downloads large libraries for graphics cards.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let stopped = false;
  const stop = () => {
    stopped = true;
    npm.kill('SIGTERM');
  };
  for (const signal of stopSignals) process.on(signal, stop);
  const outcome = await ending(npm);
  for (const signal of stopSignals) process.off(signal, stop);
  return stopped ? { code: 130 } : outcome;
}

/** Calls `stop` when the npm that started this process has ended: an npm killed by SIGKILL forwards no signal. */
function onNpmExit(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

function ending(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function exitLike({ code, signal }) {
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
