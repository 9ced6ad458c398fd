import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { startProcess, type TestProcess } from '../../test/support/process.ts';
import { limitFiles } from '../../test/support/limit-files.ts';
import { forbiddenLines } from './world.ts';

const LOADS_WITHIN_MS = 30_000;
const MAX_OUTPUT = 1_000_000;

/** An api or worker, across restarts. */
export class Program {
  readonly name: string;
  readonly problems: string[] = [];
  private readonly script: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly clockFile: string;
  private current: TestProcess | undefined;
  private isEnding = false;
  private startedAt = 0;
  private earlierOutput = '';

  constructor(name: string, script: string, environment: NodeJS.ProcessEnv, clockFile: string) {
    this.name = name;
    this.script = script;
    this.environment = environment;
    this.clockFile = clockFile;
  }

  start(): void {
    this.isEnding = false;
    this.startedAt = performance.now();
    if (this.current) this.earlierOutput = (this.earlierOutput + this.current.output()).slice(-MAX_OUTPUT);
    writeFileSync(this.clockFile, '0');
    const started = startProcess(this.script, this.environment);
    this.current = started;
    void started.ended.then(({ code, signal }) => {
      if (this.isEnding || this.current !== started) return;
      this.problems.push(
        `${this.name} ended unexpectedly with ${signal ?? `code ${code}`}: ${started.output().slice(-2_000)}`,
      );
      this.start();
    });
  }

  async kill(): Promise<void> {
    this.isEnding = true;
    await this.current?.kill('SIGKILL');
  }

  /** Stops the program by SIGTERM; it must exit with 0. */
  async stop(): Promise<void> {
    this.isEnding = true;
    const exit = await this.current?.kill('SIGTERM');
    // A loading program has no signal handler yet.
    const wasLoading = exit?.signal === 'SIGTERM' && performance.now() - this.startedAt < LOADS_WITHIN_MS;
    if (exit && exit.code !== 0 && !wasLoading)
      this.problems.push(
        `${this.name} ended on SIGTERM with ${exit.signal ?? `code ${exit.code}`}: ${this.current?.output().slice(-2_000)}`,
      );
  }

  signal(name: NodeJS.Signals): void {
    try {
      if (this.current) process.kill(this.current.pid, name);
    } catch {
      // The program has ended.
    }
  }

  /** Moves the program's clock. A starting program has the right time and no signal handler yet. */
  setClock(milliseconds: number): void {
    writeFileSync(this.clockFile, String(milliseconds));
    if (this.current && catches(this.current.pid, 'SIGUSR2')) this.signal('SIGUSR2');
  }

  limitFiles(bytes: number | 'unlimited'): void {
    try {
      if (this.current) limitFiles(this.current.pid, bytes);
    } catch {
      // The program has ended.
    }
  }

  errors = () => forbiddenLines(this.name, this.output());

  output(): string {
    return this.earlierOutput + (this.current?.output() ?? '');
  }
}

/** True if a program has a handler for a signal; without a handler, most signals end it. */
function catches(pid: number, signal: NodeJS.Signals): boolean {
  try {
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return ((BigInt(`0x${caught ?? 0}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
  } catch {
    return false;
  }
}
