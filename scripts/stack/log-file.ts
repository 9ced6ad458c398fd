import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;
/** Full files that are kept: 100 MB with the current one, so that a flood of requests does not push the trail out. */
const FULL_FILES = 9;
/** A log that could not be written is tried again after this time, not with each line. */
const RETRY_MS = 1_000;

/**
 * A log of at most ten files of 10 MB: a full one is renamed to `NAME.1`, that one to `NAME.2` and so on. While it cannot be written, for example on a
 * full disk, lines are left out; `onProblem` is called once, and the log says how many bytes are missing.
 */
export class LogFile {
  private readonly path: string;
  private readonly onProblem: (error: Error) => void;
  private readonly now: () => number;
  private file: number | null = null;
  private bytes = 0;
  private lost = 0;
  private retryAt = -Infinity;

  constructor(path: string, onProblem: (error: Error) => void, now = () => performance.now()) {
    this.path = path;
    this.onProblem = onProblem;
    this.now = now;
    this.write(Buffer.alloc(0));
  }

  /** Never throws: the program that writes goes on without its log. */
  write(chunk: Buffer) {
    let written = 0;
    try {
      if (this.lost > 0 && this.now() < this.retryAt) return;
      if (this.file === null) this.open();
      if (this.bytes + chunk.length > MAX_BYTES && this.bytes > 0) this.rotate();
      if (this.lost > 0)
        this.append(Buffer.from(`\n(${this.lost} bytes of this log could not be written)\n`));
      this.lost = 0;
      // A disk that is nearly full takes a part.
      while (written < chunk.length) written += this.append(chunk.subarray(written));
    } catch (error) {
      if (this.lost === 0) this.onProblem(error as Error);
      this.retryAt = this.now() + RETRY_MS;
      this.close();
    } finally {
      if (this.file === null) this.lost += Math.max(chunk.length - written, 1);
    }
  }

  private open() {
    this.file = openSync(this.path, 'a', 0o600);
    this.bytes = fstatSync(this.file).size;
  }

  private append(bytes: Buffer): number {
    const written = writeSync(this.file!, bytes);
    this.bytes += written;
    return written;
  }

  private rotate() {
    this.close();
    for (let n = FULL_FILES - 1; n >= 1; n -= 1)
      if (existsSync(`${this.path}.${n}`)) renameSync(`${this.path}.${n}`, `${this.path}.${n + 1}`);
    renameSync(this.path, `${this.path}.1`);
    this.open();
  }

  private close() {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }
}
