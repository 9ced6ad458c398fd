/** A file of a request, in memory: its kind limits its size. */
export interface InputFile {
  /** Its name on the user's machine. */
  name: string;
  /** Its media type, detected from its bytes. */
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
