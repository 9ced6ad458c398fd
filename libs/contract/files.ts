/** A file of a request, in memory. */
export interface InputFile {
  name: string;
  type: string;
  bytes: Buffer;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** A stored file that a tool made; the job's user owns it. */
export interface StoredFile {
  key: string;
  /** The path on our origin from which its owner reads it, which cannot be guessed. */
  path: string;
}
