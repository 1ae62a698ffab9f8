const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Markers that libjpeg reads without a length: TEM, RSTn and SOI, and those it does not know. */
const hasLength = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd8);

/**
 * Counts the scans of a JPEG (ITU-T T.81, B.1.1 and B.2). A progressive one may have thousands,
 * nearly empty, and a decoder goes through all of its pixels for each.
 */
export function countScans(jpeg: Uint8Array): number {
  let scans = 0;
  for (let at = 0; ; ) {
    at = jpeg.indexOf(0xff, at);
    if (at === -1) return scans;
    // Any number of 0xff may precede a marker. In the data of a scan, 0xff is followed by 0.
    while (jpeg[at] === 0xff) at += 1;
    const marker = jpeg[at] ?? 0;
    at += 1;
    if (marker === endOfImage) return scans;
    if (!hasLength(marker)) continue;
    if (marker === startOfScan) scans += 1;
    at += Math.max(2, ((jpeg[at] ?? 0) << 8) | (jpeg[at + 1] ?? 0));
  }
}
