import { createInterface } from 'node:readline';
import { LogFile } from './log-file.ts';
import type { BackgroundProcess } from './processes.ts';
import { printFrom } from './terminal.ts';

/** The levels of pino. */
const WARN = 40;
const ERROR = 50;

/** A message is printed once within this time. */
const REPEAT_MS = 10_000;
const MAX_LINES = 20;

/** Also printed: at its start, a worker logs what the AI service can do. */
const PRINTED_CONTEXT = 'AiService';

interface LogLine {
  level: number;
  context?: string;
  msg?: string;
  err?: { message?: string };
}

/**
 * Writes the output of a process to its log file, and prints the messages of its warnings and errors, and what the AI
 * service can do. Keeps the last lines of stderr that are not log lines, because they name the reason of an exit.
 */
export class ProcessOutput {
  private readonly name: string;
  private readonly log: LogFile;
  private plainLines: string[] = [];
  private readonly printedAt = new Map<string, number>();

  constructor(name: string, logPath: string) {
    this.name = name;
    this.log = new LogFile(logPath, ({ message }) =>
      printFrom(name, `its log cannot be written, so lines are missing from it: ${message}`, 'yellow'),
    );
  }

  /** Takes the output of a newly started process. */
  follow({ stdout, stderr }: BackgroundProcess) {
    this.plainLines = [];
    for (const stream of [stdout, stderr]) {
      stream.on('data', (chunk: Buffer) => this.log.write(chunk));
      createInterface({ input: stream }).on('line', (line) => this.take(line, stream === stderr));
    }
  }

  lastLines = () => this.plainLines.join('\n');

  /** The first line that names an error, or an empty text. */
  cause(): string {
    return this.plainLines.find((line) => /^(\w*Error\b|FATAL|PANIC)/.test(line.trim())) ?? '';
  }

  private take(line: string, fromStderr: boolean) {
    const entry = parse(line);
    if (entry) {
      if (entry.level >= WARN || entry.context === PRINTED_CONTEXT) this.print(entry);
    } else if (fromStderr && line.trim()) {
      this.plainLines = [...this.plainLines, line].slice(-MAX_LINES);
    }
  }

  private print({ level, msg, err }: LogLine) {
    const text = [...new Set([msg, err?.message])].filter(Boolean).join(': ');
    const now = performance.now();
    if (now - (this.printedAt.get(text) ?? -Infinity) < REPEAT_MS) return;
    if (this.printedAt.size > 100) this.printedAt.clear();
    this.printedAt.set(text, now);
    printFrom(this.name, text, level >= ERROR ? 'red' : level >= WARN ? 'yellow' : undefined);
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
