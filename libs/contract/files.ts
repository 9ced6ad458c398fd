/** A file of a request, read into memory. */
export interface InputFile {
  name: string;
  type: string;
  bytes: Buffer;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** A file that a tool created and stored. It belongs to the job's user. */
export interface StoredFile {
  key: string;
  /** The path of its URL on our origin. Contains the random key, so it cannot be guessed. */
  path: string;
}

/** The ending of a document's file name, such as `.pdf`. */
export const FILE_ENDING = /\.\w{2,5}$/;
