import type { Command } from './command.ts';
import type { Database } from './database.ts';
import type { DataFolder } from './data-folder.ts';
import type { Settings } from './environment.ts';
import { ProcessOutput } from './process-output.ts';
import { startInBackground } from './processes.ts';
import { nodeOptionsOf } from './node-options.ts';
import { inRoot } from './root.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { CONFIGURATION_EXIT_CODE, WrongConfiguration } from './terminal.ts';
import { waitWhile } from './wait-while.ts';

/** Added to the time that the programs allow themselves for stopping. */
const STOP_MARGIN_MS = 5_000;

export interface Programs {
  /** Resolves once api and worker are ready. Rejects when a program refuses its configuration. */
  ready: () => Promise<void>;
  /** Rejects when a program refuses its configuration; never resolves. */
  refused: Promise<never>;
  stop: () => Promise<void>;
}

/** Starts api and worker, each in a process of its own, and restarts them until `cleanup` stops them. */
export function startPrograms(
  command: Command,
  folder: DataFolder,
  settings: Settings,
  database: Database,
): Programs {
  // Files and uploads are readable by this user only.
  process.umask(0o077);
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const { metrics, shutdownSeconds } = settings.config;
  const env = { ...settings.environment, DATABASE_URL: database.url };
  // Two programs on one machine need two ports for their metrics.
  const workerEnv = metrics ? { ...env, METRICS_PORT: String(metrics.port + 1) } : env;
  // The api is polled over HTTP; the worker sends a message once it takes jobs.
  let workerIsReady = false;
  const supervise = (name: 'api' | 'worker') =>
    new SupervisedProcess({
      name,
      output: new ProcessOutput(name, folder.log(name)),
      fatal: {
        exitCode: CONFIGURATION_EXIT_CODE,
        onExit: (lastLines) => refuse(new WrongConfiguration(lastLines)),
      },
      start: () => {
        const script = `dist/${name}/main.js`;
        // Its IPC channel closes when this process ends, and then it stops.
        const program = startInBackground(process.execPath, [...nodeOptionsOf(script), inRoot(script)], {
          cwd: inRoot(),
          env: name === 'worker' ? workerEnv : env,
          ipc: true,
          inherited: database.watchdogPipe ?? undefined,
          killSignal: 'SIGTERM',
          forceKillAfterDelay: shutdownSeconds * 1000 + STOP_MARGIN_MS,
        });
        program.nodeChildProcess.once('message', () => (workerIsReady = true));
        return program;
      },
    });
  const problem = async (signal: AbortSignal) =>
    (await problemOf(`${localAddress(settings)}/health/ready`, signal)) ??
    (workerIsReady ? null : 'the worker does not run yet.');
  const programs = [supervise('api'), supervise('worker')];
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    await Promise.all(programs.map((program) => program.stop()));
  };
  command.cleanup.defer(stop);
  command.onForceStop.push(() => programs.forEach((program) => program.kill()));
  return {
    refused,
    stop,
    ready: () => {
      const signal = AbortSignal.any([command.signal, stopping.signal]);
      return Promise.race([refused, waitWhile(() => problem(signal), { everyMs: 100, signal })]);
    },
  };
}

export function localAddress({ config }: Settings): string {
  const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host === '::' ? '::1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
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
