import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LogFile } from './log-file.ts';
import { sayOf } from './terminal.ts';

/** The levels of pino. */
const WARN = 40;
const ERROR = 50;

/** The same line again within this time is left to the log file. */
const REPEAT_MS = 10_000;
const KEPT_LINES = 20;

interface LogLine {
  level: number;
  msg?: string;
  err?: { message?: string };
}

/**
 * What one program says: all of it goes to its log file, its warnings and errors in short to the terminal. Its last
 * plain lines on stderr are kept, since they say why it ended.
 */
export class ProgramOutput {
  readonly #program: string;
  readonly #log: LogFile;
  #plainLines: string[] = [];
  readonly #shownAt = new Map<string, number>();

  constructor(program: string, logPath: string) {
    this.#program = program;
    this.#log = new LogFile(logPath);
  }

  /** Follows a newly started process of this program. */
  follow(child: ChildProcess) {
    this.#plainLines = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      stream.on('data', (chunk: Buffer) => this.#log.write(chunk));
      createInterface({ input: stream }).on('line', (line) => this.#take(line, stream === child.stderr));
    }
  }

  /** The plain lines that the last process wrote to stderr, up to twenty of them. */
  lastWords = () => this.#plainLines.join('\n');

  /** Of the last words the line that names the error, or an empty text. */
  cause(): string {
    return this.#plainLines.find((line) => /^(\w*Error\b|FATAL|PANIC)/.test(line.trim())) ?? '';
  }

  #take(line: string, fromStderr: boolean) {
    const entry = parse(line);
    if (entry) {
      if (entry.level >= WARN) this.#show(entry);
    } else if (fromStderr && line.trim()) {
      this.#plainLines = [...this.#plainLines, line].slice(-KEPT_LINES);
    }
  }

  #show({ level, msg, err }: LogLine) {
    const text = [...new Set([msg, err?.message])].filter(Boolean).join(': ');
    const now = performance.now();
    if (now - (this.#shownAt.get(text) ?? -Infinity) < REPEAT_MS) return;
    if (this.#shownAt.size > 100) this.#shownAt.clear();
    this.#shownAt.set(text, now);
    sayOf(this.#program, text, level >= ERROR ? 'red' : 'yellow');
  }
}

function parse(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    const value = JSON.parse(line) as Partial<LogLine>;
    return typeof value.level === 'number' ? (value as LogLine) : null;
  } catch {
    return null;
  }
}
