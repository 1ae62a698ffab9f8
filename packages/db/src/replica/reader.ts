import SqliteClient from 'better-sqlite3';

/** In kB, the same as for a database on this machine. */
const cacheSize = 4_000;
/** In milliseconds: the process that writes the file checkpoints its log. */
const busyTimeout = 500;

/** A read-only connection to the replica file, which is replaced when the replica is rebuilt. */
export function createReader(file: string) {
  let client: SqliteClient.Database | undefined;
  let generation = 0;

  function open(): SqliteClient.Database {
    const opened = new SqliteClient(file, {
      readonly: true,
      fileMustExist: true,
      timeout: busyTimeout,
    });
    try {
      opened.pragma(`cache_size = -${cacheSize}`);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  function connect(): SqliteClient.Database {
    if (client === undefined) {
      client = open();
      generation += 1;
    }
    return client;
  }

  return {
    client: connect,

    /** Changes with each sync that received something. SQLite's version restarts per connection. */
    dataVersion(): number {
      const version = connect().pragma('data_version', { simple: true });
      return generation * 2 ** 32 + Number(version);
    },

    /** The next statement opens the file again. */
    close(): void {
      client?.close();
      client = undefined;
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
