interface StoreWork {
  signal: AbortSignal;
  onProgress(line: string): void;
}

/** Where archives are stored. Methods reject with disk and network errors. */
export interface BackupStore {
  /** An existing folder. Archives are made in a private folder inside it. */
  stagingParent: string;
  /** A path or a URL, for messages. */
  locationOf(name: string): string;
  /** Lists all files, not only backups. */
  list(): Promise<string[]>;
  /** Stores an archive. Until it is stored completely, the name does not exist. */
  put(archive: string, name: string, work: StoreWork): Promise<void>;
  remove(name: string): Promise<void>;
}
