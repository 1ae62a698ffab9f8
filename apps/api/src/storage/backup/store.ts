interface StoreWork {
  signal: AbortSignal;
  onProgress(line: string): void;
}

/** Where archives are stored. Methods reject with errors of the disk or network. */
export interface BackupStore {
  /** An existing folder for a private one, in which an archive is made. */
  stagingParent: string;
  /** For messages: a path or a URL. */
  locationOf(name: string): string;
  /** All files, not only backups. */
  list(): Promise<string[]>;
  /** Stores an archive. Until it is stored completely, the name does not exist. */
  put(archive: string, name: string, work: StoreWork): Promise<void>;
  /** Ignores a missing one. */
  remove(name: string): Promise<void>;
}
