/**
 * The first half of every npm script, in plain JavaScript for any Node from 20 on, with nothing installed yet:
 * installs what package-lock.json names, then runs the second half, in TypeScript, on the Node that the project pins.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => join(root, ...parts);
const installedStamp = inRoot('node_modules', '.installed');
const installLock = inRoot('.installing');
const pinnedNode = inRoot('node_modules', '.bin', 'node');
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a second half with the arguments of this process, and ends this process as it ended.
 *
 * @param {string} script its path from the project's root
 * @param {{ownGroup?: boolean}} options `ownGroup`: it looks after processes of its own, so the terminal's Ctrl-C
 *   must reach it alone, through this process, and once
 */
export async function runOnPinnedNode(script, { ownGroup = false } = {}) {
  await install();
  const child = spawn(pinnedNode, [inRoot(script), ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, PATH: [inRoot('node_modules', '.bin'), process.env.PATH].join(delimiter) },
    stdio: ownGroup ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: ownGroup,
  });
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', ownGroup ? forward : () => {});
  process.on('SIGTERM', forward);
  process.on('SIGHUP', forward);
  whenNpmIsGone(() => forward('SIGHUP'));
  endAs(await ending(child));
}

async function install() {
  if (isInstalled()) return;
  await holdInstallLock();
  const letGo = () => rmSync(installLock, { force: true });
  process.once('exit', letGo);
  if (!isInstalled()) await installNow();
  process.off('exit', letGo);
  letGo();
}

async function installNow() {
  refuseWhileRunning();
  console.log('Installing the packages that package-lock.json names; the first time takes a minute or so.');
  rmSync(installedStamp, { force: true });
  // Said in full, so that no setting of the person's own or of the calling npm leaves out what is needed here.
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
    endAs(outcome);
  }
  if (!existsSync(pinnedNode)) {
    console.error(
      'The packages are installed, but the pinned Node is missing: its install script did not run.',
    );
    process.exit(1);
  }
  writeFileSync(installedStamp, wanted());
}

/** What an install depends on, in one word. */
function wanted() {
  const lock = readFileSync(inRoot('package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
}

/** The stamp is written last and npm empties node_modules first, so a half install has none. */
function isInstalled() {
  return (
    existsSync(installedStamp) && existsSync(pinnedNode) && readFileSync(installedStamp, 'utf8') === wanted()
  );
}

/** Two commands started at once install one after the other. The lock of a process that was killed counts for nothing. */
async function holdInstallLock() {
  for (let told = false; ; told = true) {
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
      if (!told) console.log('Another command is installing the packages; waiting for it.');
      await pause(500);
    }
  }
}

/** An install empties node_modules, which a Pressroom started earlier runs from. */
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

/** Runs the npm that runs this script, or the one on the path. A signal stops it, and this process with it. */
async function runNpm(args) {
  const self = process.env.npm_execpath;
  const [command, first] = self && /\.c?js$/.test(self) ? [process.execPath, [self]] : ['npm', []];
  const npm = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
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

/** An npm that is killed outright leaves this process behind, with nobody to stop it. */
function whenNpmIsGone(stop) {
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

function endAs({ code, signal }) {
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
