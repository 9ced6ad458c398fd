interface ZipEntry {
  /** The file's name. Its extension is replaced by the one of its type. */
  name: string;
  type: string;
  modified: Date;
}

export interface ZipDownload {
  userId: string;
  name: string;
  /** Stored objects, and texts that are read when they are written to it. */
  entries: (ZipEntry & ({ key: string; bytes: number } | { read: () => Promise<string> }))[];
}
