/** The tables of a font file in the sfnt container (OpenType 1.9, "Organization of an OpenType Font"). */
export type Tables = Map<string, Buffer>;

const headerLength = 12;
const entryLength = 16;

export const tablesOf = (font: Buffer): Tables => {
  const count = font.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const entry = headerLength + index * entryLength;
      const start = font.readUInt32BE(entry + 8);
      const tag = font.toString('latin1', entry, entry + 4);
      return [tag, font.subarray(start, start + font.readUInt32BE(entry + 12))];
    }),
  );
};

/** The font with other tables in it. */
export const withTables = (font: Buffer, tables: Tables): Buffer => {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const directory = Buffer.alloc(headerLength + sorted.length * entryLength);
  font.copy(directory, 0, 0, headerLength);
  directory.writeUInt16BE(sorted.length, 4);
  const parts = [directory];
  let start = directory.length;
  for (const [index, [tag, table]] of sorted.entries()) {
    const entry = headerLength + index * entryLength;
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(sumOf(padded), entry + 4);
    directory.writeUInt32BE(start, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    parts.push(padded);
    start += padded.length;
  }
  return Buffer.concat(parts);
};

const sumOf = (padded: Buffer): number => {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
};
