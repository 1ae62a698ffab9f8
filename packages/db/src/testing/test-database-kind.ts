const kinds = ['file', 'server', 'replica'] as const;
export type TestDatabaseKind = (typeof kinds)[number];

/**
 * Where the database of a test is: in a file; with `TEST_DATABASE=server`, on a libSQL server that
 * runs each statement; with `TEST_DATABASE=replica`, on such a server with a replica for reading.
 */
export const testDatabaseKind = readKind(process.env['TEST_DATABASE'] ?? 'file');

function readKind(name: string): TestDatabaseKind {
  const kind = kinds.find((each) => each === name);
  if (kind === undefined) {
    throw new Error(`TEST_DATABASE is ${name}: set it to ${kinds.join(', ')}, or unset it.`);
  }
  return kind;
}
