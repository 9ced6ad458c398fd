import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './command.ts';
import type { Database } from './database.ts';
import type { DataFolder } from './data-folder.ts';
import type { Settings } from './environment.ts';
import { KeptProgram } from './kept-program.ts';
import { ProgramOutput } from './program-output.ts';
import { inRoot } from './root.ts';
import { Refusal, say, styled } from './terminal.ts';

/** Above what the programs allow themselves for stopping. */
const GRACE_MS = 5_000;
/** Time of a usual start, after which what is waited for is told; then at longer intervals. */
const TELL_WAITING_AFTER_MS = 4_000;
const TELL_WAITING_EVERY_MS = 15_000;

export interface Programs {
  /** Resolves once api and worker say that they can do their work. Rejects when a program refuses its configuration. */
  ready: () => Promise<void>;
  /** Rejects when a program refuses its configuration; never resolves. */
  refused: Promise<never>;
  stop: () => Promise<void>;
}

/** Starts api and worker, each a process of its own, and keeps them running until `cleanup` stops them. */
export function startPrograms(
  command: Command,
  folder: DataFolder,
  settings: Settings,
  database: Database,
): Programs {
  // What they keep is users's own: files and uploads are for this user alone.
  process.umask(0o077);
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const env = { ...settings.environment, DATABASE_URL: database.url };
  // Two programs of one machine cannot tell their metrics on one port: the worker's is the next one.
  const { metrics } = settings.config;
  const workerEnv = metrics ? { ...env, METRICS_PORT: String(metrics.port + 1) } : env;
  // The api is asked over HTTP; the worker, whom nobody can ask, tells.
  let workerRuns = false;
  const start = (name: 'api' | 'worker') =>
    keep(name, {
      env: name === 'worker' ? workerEnv : env,
      database,
      output: new ProgramOutput(name, folder.log(name)),
      stopWithinMs: settings.config.shutdownSeconds * 1000 + GRACE_MS,
      refuse,
      onMessage: () => (workerRuns = true),
    });
  const problem = async (signal: AbortSignal) =>
    (await problemOf(`${localAddress(settings)}/health/ready`, signal)) ??
    (workerRuns ? null : 'the worker does not run yet.');
  const programs = [start('api'), start('worker')];
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    await Promise.all(programs.map((program) => program.stop()));
  };
  command.cleanup.defer(stop);
  command.insistences.push(() => programs.forEach((program) => program.kill()));
  return {
    refused,
    stop,
    ready: () => {
      const signal = AbortSignal.any([command.signal, stopping.signal]);
      return Promise.race([refused, untilNone(problem, signal)]);
    },
  };
}

/** The exit code of a program whose configuration is wrong (EX_CONFIG of sysexits.h). */
const CONFIGURATION_EXIT_CODE = 78;

interface Keeping {
  env: NodeJS.ProcessEnv;
  database: Database;
  output: ProgramOutput;
  stopWithinMs: number;
  refuse: (reason: Refusal) => void;
  onMessage: () => void;
}

function keep(name: 'api' | 'worker', keeping: Keeping): KeptProgram {
  const { env, database, output, stopWithinMs, refuse, onMessage } = keeping;
  return new KeptProgram({
    name,
    output,
    stopSignal: 'SIGTERM',
    stopWithinMs,
    refusal: { code: CONFIGURATION_EXIT_CODE, publish: (words) => refuse(new Refusal(words)) },
    // In a process group of its own, so that the terminal's Ctrl-C does not reach it; its channel closes when this
    // process is gone, and then it ends by itself.
    start: () =>
      spawn(process.execPath, ['--enable-source-maps', inRoot('dist', name, 'main.js')], {
        cwd: inRoot(),
        env,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc', database.tether ?? 'ignore'],
        detached: true,
      }).on('message', onMessage),
  });
}

/** Where the api answers on this machine. */
export function localAddress({ config }: Settings): string {
  const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host === '::' ? '::1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

async function untilNone(problem: (signal: AbortSignal) => Promise<string | null>, signal: AbortSignal) {
  let tellAt = performance.now() + TELL_WAITING_AFTER_MS;
  for (;;) {
    const what = await problem(signal);
    if (what === null) return;
    if (performance.now() > tellAt) {
      tellAt = performance.now() + TELL_WAITING_EVERY_MS;
      say(styled('yellow', `Still waiting: ${what}`));
    }
    await sleep(100, undefined, { signal });
  }
}

async function problemOf(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
    const { message } = (await response.json()) as { message?: string };
    return response.ok ? null : (message ?? `the api answers ${response.status}.`);
  } catch {
    signal.throwIfAborted();
    return 'the api does not answer yet.';
  }
}
