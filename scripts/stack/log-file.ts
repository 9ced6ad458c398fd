import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;

/** A log of at most two files of 5 MB: a full one is renamed to `NAME.1`. */
export class LogFile {
  private readonly path: string;
  private file: number;
  private bytes: number;

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'a', 0o600);
    this.bytes = fstatSync(this.file).size;
  }

  write(chunk: Buffer) {
    if (this.bytes + chunk.length > MAX_BYTES && this.bytes > 0) this.rotate();
    writeSync(this.file, chunk);
    this.bytes += chunk.length;
  }

  private rotate() {
    closeSync(this.file);
    renameSync(this.path, `${this.path}.1`);
    this.file = openSync(this.path, 'a', 0o600);
    this.bytes = 0;
  }
}
