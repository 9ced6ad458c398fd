import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/file-kinds.js';
import type { FileField } from '#libs/contract/define-tool.js';
import { SIGNATURE_BYTES, typeOf } from './file-type.js';

/** A file of a request, on our disk for as long as the request is looked at. */
export interface SpooledFile {
  path: string;
  bytes: number;
  /** Of the content, in hexadecimal. */
  sha256: string;
  /** Its media type, as its first bytes say. */
  type: string;
}

/** Milliseconds after which a spooled file belongs to no living request. */
const LONGEST_REQUEST = 3_600_000;

/** A folder where files are put while their requests are read, so that no file is ever whole in memory. */
export class Spool {
  constructor(private readonly directory: string) {}

  /** Makes the folder, and removes what a process left behind that was killed. */
  async prepare(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    for (const name of await readdir(this.directory)) {
      const path = join(this.directory, name);
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > LONGEST_REQUEST) await rm(path, { force: true });
    }
  }

  /**
   * Writes a file down while its size and type are checked. Nothing stays of a file that is refused.
   * @returns null for a file without content
   * @throws AppError FILE_TOO_LARGE, UNSUPPORTED_FILE, as soon as it is known
   */
  async take(content: Readable, kind: FileField['kind']): Promise<SpooledFile | null> {
    const path = join(this.directory, randomUUID());
    const inspection = new Inspection(kind);
    try {
      await pipeline(content, inspection, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      await this.remove(path);
      throw error;
    }
    const result = inspection.result();
    if (result) return { path, ...result };
    await this.remove(path);
    return null;
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}

/** Lets a file's bytes through while it counts and hashes them and looks at the first. */
class Inspection extends Transform {
  private readonly sha256 = createHash('sha256');
  private head = Buffer.alloc(0);
  private bytes = 0;
  private type: string | undefined;

  constructor(private readonly kind: FileField['kind']) {
    super();
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error?: Error | null, data?: Buffer) => void,
  ): void {
    const { maxBytes, tooLarge } = fileKinds[this.kind];
    this.bytes += chunk.length;
    if (this.bytes > maxBytes)
      return done(new AppError('FILE_TOO_LARGE', `This file is too large. ${tooLarge}`));
    this.sha256.update(chunk);
    if (this.head.length < SIGNATURE_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, SIGNATURE_BYTES)]);
      if (this.head.length >= SIGNATURE_BYTES && !this.judge()) return done(this.refusal());
    }
    done(null, chunk);
  }

  override _flush(done: (error?: Error | null) => void): void {
    done(this.bytes === 0 || this.judge() ? null : this.refusal());
  }

  /** Once all went through: what was found, or null when there was nothing. */
  result(): Omit<SpooledFile, 'path'> | null {
    return this.type ? { bytes: this.bytes, sha256: this.sha256.digest('hex'), type: this.type } : null;
  }

  private judge(): boolean {
    this.type = typeOf(this.head);
    return this.type !== undefined && fileKinds[this.kind].types.includes(this.type);
  }

  private refusal(): AppError {
    return new AppError('UNSUPPORTED_FILE', fileKinds[this.kind].accepted);
  }
}
