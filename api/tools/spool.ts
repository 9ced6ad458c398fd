import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#libs/contract/errors.js';
import { COMPOUND_FILE_TYPE, SIGNATURE_BYTES, typeOf } from '#libs/contract/file-type.js';
import { fileKinds } from '#libs/contract/limits.js';
import type { FileField } from '#libs/contract/define-tool.js';

/** An uploaded file, on disk until its request is processed. */
export interface SpooledFile {
  path: string;
  bytes: number;
  /** SHA-256 of the content, in hex. */
  sha256: string;
  /** Media type, detected from the first bytes of the content. */
  type: string;
}

/** A temporary folder for uploaded files of requests in progress, so that no file is held in memory. */
export class Spool {
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  /**
   * @param directory an existing folder
   * @param budget maximum total bytes of all files
   */
  constructor(
    private readonly directory: string,
    private readonly budget = Infinity,
  ) {}

  /**
   * Writes a file to disk and checks its size and type on the way. A rejected file is deleted.
   * @returns null if the file is empty
   * @throws AppError FILE_TOO_LARGE or UNSUPPORTED_FILE, as early as possible; UNAVAILABLE if the spool is full
   */
  async take(content: AsyncIterable<Buffer>, kind: FileField['kind']): Promise<SpooledFile | null> {
    const path = join(this.directory, randomUUID());
    const inspection = new Inspection(kind, (bytes) => this.count(path, bytes));
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
    this.bytes -= this.sizes.get(path) ?? 0;
    this.sizes.delete(path);
  }

  /** Counts bytes before they are written. @throws AppError UNAVAILABLE if the spool is full */
  private count(path: string, bytes: number): void {
    if (this.bytes + bytes > this.budget) {
      throw new AppError(
        'UNAVAILABLE',
        'Too many files are arriving at the moment. Nothing was charged; try again in a few seconds.',
        { retryAfterSeconds: 10 },
      );
    }
    this.bytes += bytes;
    this.sizes.set(path, (this.sizes.get(path) ?? 0) + bytes);
  }
}

/** Passes a file through while counting and hashing its bytes. Detects the type from the first bytes. */
class Inspection extends Transform {
  private readonly sha256 = createHash('sha256');
  private head = Buffer.alloc(0);
  private bytes = 0;
  private type: string | undefined;

  constructor(
    private readonly kind: FileField['kind'],
    private readonly count: (bytes: number) => void,
  ) {
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
    try {
      this.count(chunk.length);
    } catch (error) {
      return done(error as Error);
    }
    this.sha256.update(chunk);
    if (this.head.length < SIGNATURE_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, SIGNATURE_BYTES)]);
      if (this.head.length >= SIGNATURE_BYTES && !this.detectType()) return done(this.refusal());
    }
    done(null, chunk);
  }

  override _flush(done: (error?: Error | null) => void): void {
    done(this.bytes === 0 || this.detectType() ? null : this.refusal());
  }

  /** Size, hash and type, after the end of the file. Null if the file is empty. */
  result(): Omit<SpooledFile, 'path'> | null {
    return this.type ? { bytes: this.bytes, sha256: this.sha256.digest('hex'), type: this.type } : null;
  }

  private detectType(): boolean {
    this.type = typeOf(this.head);
    // `ToolRequests` reads the whole file and says what it is.
    if (this.kind === 'document') this.type ??= 'text/plain';
    if (this.kind === 'document' || (this.kind === 'resume' && this.type === COMPOUND_FILE_TYPE)) return true;
    return this.type !== undefined && fileKinds[this.kind].types.includes(this.type);
  }

  private refusal(): AppError {
    return new AppError('UNSUPPORTED_FILE', fileKinds[this.kind].accepted);
  }
}
