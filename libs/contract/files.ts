/** A file that came with the request, whole in memory: its size is bounded by its kind. */
export interface InputFile {
  /** The name it had on the user's machine. */
  name: string;
  /** Its media type, as its own bytes say. */
  type: string;
  bytes: Buffer;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
}

/** A file that a tool made, stored and owned by the job's user. */
export interface StoredFile {
  key: string;
  /** Where its owner reads it on our origin: an unguessable path. Reading adds the origin. */
  path: string;
}
