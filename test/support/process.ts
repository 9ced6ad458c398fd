import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { nodeOptionsOf } from '../../scripts/stack/node-options.ts';
import { describeExit } from '../../scripts/stack/processes.ts';
import { inRoot } from '../../scripts/stack/root.ts';
import { MODELS_FOLDER } from './models-folder.ts';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface TestProcess {
  pid: number;
  /** Its output so far, stdout and stderr. */
  output: () => string;
  /** Sends a signal and resolves with how it ended; SIGKILL follows when it is still there after a minute. */
  kill: (signal?: NodeJS.Signals) => Promise<Exit>;
  /** Resolves when it has ended and all it wrote is in `output`. */
  ended: Promise<Exit>;
}

const KILL_AFTER_MS = 60_000;
const READY_WITHIN_MS = 180_000;
/** Node's compile cache: every start of a program or a thread but the first takes a quarter less CPU time. */
export const COMPILE_CACHE = inRoot('node_modules/.cache/compiled');
/** Milliseconds; a child process of the program may keep the pipe open after it. */
const OUTPUT_WITHIN_MS = 2_000;

/**
 * Starts a JavaScript or TypeScript program of the project on its own Node.
 * @param script its path from the project's root, such as `dist/worker/main.js`
 * @param environment added to PATH, HOME and the models' folder alone, so that the outcome does not hang on the machine's own
 *   settings
 */
export function startProcess(
  script: string,
  environment: NodeJS.ProcessEnv = {},
  args: string[] = [],
): TestProcess {
  const { PATH, HOME } = process.env;
  const child = execa(process.execPath, [...nodeOptionsOf(script), inRoot(script), ...args], {
    cwd: inRoot(),
    env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, MODELS_DIR: MODELS_FOLDER, ...environment },
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    buffer: false,
    ipc: true,
    reject: false,
    // execa sends SIGKILL five seconds after a signal; `kill` below has its own time.
    forceKillAfterDelay: false,
  });
  if (child.pid === undefined) throw new Error('The program could not be started.');
  const chunks: Buffer[] = [];
  child.all.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { nodeChildProcess } = child;
  const exited = once(nodeChildProcess, 'exit').then((): Exit => ({
    code: nodeChildProcess.exitCode,
    signal: nodeChildProcess.signalCode,
  }));
  return {
    pid: child.pid,
    output: () => Buffer.concat(chunks).toString(),
    kill: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
    ended: exited.then(async (exit) => {
      await Promise.race([child, sleep(OUTPUT_WITHIN_MS, undefined, { ref: false })]);
      return exit;
    }),
  };
}

/** A program that answers over HTTP. */
export type TestServer = TestProcess & { address: string };

/**
 * Starts a program that listens on `PORT`, and waits until `/health/ready` answers.
 * @returns the process, and the address that it answers at
 */
export async function startServer(
  script: string,
  environment: NodeJS.ProcessEnv & { PORT: string },
): Promise<TestServer> {
  const server = startProcess(script, environment);
  const address = `http://127.0.0.1:${environment.PORT}`;
  await untilReady(server, `${address}/health/ready`);
  return { ...server, address };
}

/** Starts `dist/api/main.js` and waits until it is ready. */
export const startApi = (environment: NodeJS.ProcessEnv & { PORT: string }): Promise<TestServer> =>
  startServer('dist/api/main.js', environment);

/** Starts `dist/worker/main.js`. */
export const startWorker = (environment: NodeJS.ProcessEnv): TestProcess =>
  startProcess('dist/worker/main.js', environment);

async function untilReady(program: TestProcess, url: string) {
  let exit: Exit | undefined;
  void program.ended.then((how) => (exit = how));
  for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until; await sleep(50)) {
    if (exit) {
      const how = describeExit({ exitCode: exit.code ?? undefined, signal: exit.signal ?? undefined });
      throw new Error(`It ended ${how} before it was ready.\n${program.output()}`);
    }
    if (await answersOk(url)) return;
  }
  await program.kill('SIGKILL');
  throw new Error(`It was not ready within ${READY_WITHIN_MS / 1000} s.\n${program.output()}`);
}

async function answersOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
