interface ZipEntry {
  /** The file's name. Its extension is replaced by the extension of `type`. */
  name: string;
  type: string;
  modified: Date;
}

export interface ZipDownload {
  userId: string;
  name: string;
  /** Files of the ZIP: stored objects, or texts that `read` returns when their turn comes. */
  entries: (ZipEntry & ({ key: string; bytes: number } | { read: () => Promise<string> }))[];
}
