/** A scan of AC coefficients; `from` and `to` are its successive approximation (ITU-T T.81, G.1.2). */
interface Scan {
  component: number;
  coefficient: number;
  from: number;
  to: number;
}

/** Each coefficient of each component, bit by bit: as many scans as the format allows. */
function* scansOf(components: readonly number[]): Generator<Scan> {
  for (const component of components) {
    for (let coefficient = 1; coefficient < 64; coefficient += 1) {
      for (let to = 13; to >= 0; to -= 1) {
        yield { component, coefficient, from: to === 13 ? 0 : to + 1, to };
      }
    }
  }
}

export const maxScans = 1 + 3 * 63 * 14;

/**
 * A valid progressive JPEG of one gray tone whose scans are almost empty: decoding takes time for
 * each of them, but they take up hardly any bytes.
 * @param scans from 1 to `maxScans`
 */
export function progressiveJpeg({ width = 64, height = 64, scans = 10 } = {}): Buffer {
  const components = [1, 2, 3];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const noChange = endOfBlocks(blocks);
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc2, [
      ...[8, height >> 8, height & 255, width >> 8, width & 255, components.length],
      ...components.flatMap((component) => [component, 0x11, 0]),
    ]),
    // One DC symbol, no difference, has the code 0. Fifteen AC symbols have four bits each.
    segment(0xc4, [0x00, 1, ...Array(15).fill(0), 0]),
    segment(0xc4, [
      ...[0x10, 0, 0, 0, 15, ...Array(12).fill(0)],
      ...Array.from({ length: 15 }, (_, exponent) => exponent << 4),
    ]),
    segment(0xda, [
      components.length,
      ...components.flatMap((component) => [component, 0x00]),
      ...[0, 0, 0x00],
    ]),
    Buffer.alloc(Math.ceil((blocks * components.length) / 8)),
  ];
  const ac = scansOf(components);
  for (let scan = 1; scan < scans; scan += 1) {
    const { component, coefficient, from, to } = ac.next().value as Scan;
    parts.push(
      segment(0xda, [1, component, 0x00, coefficient, coefficient, (from << 4) | to]),
      noChange,
    );
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

const segment = (marker: number, bytes: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes]);

/** Runs of blocks without coefficients (G.1.2.2): an exponent, then as many bits. */
function endOfBlocks(blocks: number): Buffer {
  let bits = '';
  for (let left = blocks; left > 0; ) {
    const run = Math.min(left, 32_767);
    const exponent = Math.floor(Math.log2(run));
    bits += exponent.toString(2).padStart(4, '0');
    bits += exponent === 0 ? '' : (run - 2 ** exponent).toString(2).padStart(exponent, '0');
    left -= run;
  }
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  // A zero follows each 0xff in the data (B.1.1.5).
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}
