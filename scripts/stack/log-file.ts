import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;

/** A log that never holds more than two files of 5 MB: a full one becomes `NAME.1`, in place of the one before. */
export class LogFile {
  readonly path: string;
  #file: number;
  #bytes: number;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  write(chunk: Buffer) {
    if (this.#bytes + chunk.length > MAX_BYTES && this.#bytes > 0) this.#turn();
    writeSync(this.#file, chunk);
    this.#bytes += chunk.length;
  }

  #turn() {
    closeSync(this.#file);
    renameSync(this.path, `${this.path}.1`);
    this.#file = openSync(this.path, 'a', 0o600);
    this.#bytes = 0;
  }
}
