/**
 * The street at the hour when the porch lights come on, with one house where
 * somebody is home. A different one for every seed, always the same for one seed.
 * SVG without styles of its own; its colors are in street.css.
 */
interface Street {
  seed: string;
  width: number;
  height: number;
}

/** How much of the picture lies below the houses. */
const pavement = 44;

export const drawStreet = ({ seed, width, height }: Street): string => {
  const roll = dice(hashOf(seed));
  const base = height - pavement;
  const sun = `<circle class="sun" cx="${roll(80, width - 80)}" cy="${base - roll(130, 190)}" r="${roll(26, 46)}"/>`;
  const far = farHouses(width, base, roll);

  const plots: { x: number; wide: number }[] = [];
  for (let x = -roll(0, 60); x < width; ) {
    const wide = roll(104, 168);
    plots.push({ x, wide });
    x += wide + roll(10, 34);
  }
  // Somebody is home well inside the picture, not at its edge.
  const home = roll(1, Math.max(1, plots.length - 3));
  const near = plots.map((plot, index) => house({ ...plot, base, lit: index === home }, roll));

  return `<svg class="street" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><rect class="sky" width="${width}" height="${height}"/>${sun}${far}<rect class="pavement" y="${base}" width="${width}" height="${pavement}"/>${near.join('')}</svg>`;
};

/** FNV-1a: spreads similar seeds far apart. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};

/** Mulberry32: whole numbers from `least` to `most`, the same row for the same seed. */
const dice = (seed: number) => {
  let state = seed;
  return (least: number, most: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
    return least + Math.floor(fraction * (most - least + 1));
  };
};

type Roll = ReturnType<typeof dice>;

const farHouses = (width: number, base: number, roll: Roll): string => {
  let path = `M0 ${base}`;
  for (let x = 0; x < width; ) {
    const wide = roll(56, 110);
    const eaves = base - roll(84, 150);
    const ridge = roll(18, 46);
    path += `V${eaves}l${wide / 2} -${ridge}l${wide / 2} ${ridge}`;
    x += wide;
  }
  return `<path class="far" d="${path}V${base}z"/>`;
};

interface House {
  x: number;
  wide: number;
  /** Where it stands. */
  base: number;
  lit: boolean;
}

const house = ({ x, wide, base, lit }: House, roll: Roll): string => {
  const eaves = base - roll(78, 136);
  const chimney = `<rect class="near" x="${x + wide - 38}" y="${eaves - 46}" width="14" height="46"/>`;
  const shade = roll(0, 1) === 0 ? 'near' : 'near too';
  const walls = `<path class="${shade}" d="M${x} ${base}V${eaves}${roof(wide, roll)}V${base}z"/>`;

  const doorWide = 24;
  const doorHigh = 50;
  const doorX = x + (roll(0, 1) === 0 ? 16 : wide - 16 - doorWide);
  const doorTop = base - doorHigh;
  const door = `<rect class="${lit ? 'lit' : 'door'}" x="${doorX}" y="${doorTop}" width="${doorWide}" height="${doorHigh}"/>`;
  const lamp = `<circle class="glow" cx="${doorX + doorWide / 2}" cy="${doorTop - 12}" r="16"/><circle class="lit" cx="${doorX + doorWide / 2}" cy="${doorTop - 12}" r="5"/><path class="glow" d="M${doorX} ${base}h${doorWide}l26 ${pavement}h-${doorWide + 52}z"/>`;

  let windows = '';
  for (let top = eaves + 18; top < base - 42; top += 44) {
    for (let left = x + 16; left + 22 <= x + wide - 12; left += 38) {
      const beside = left + 26 < doorX || left > doorX + doorWide + 4;
      if (!beside && top + 26 > doorTop - 30) continue;
      windows += `<rect class="pane" x="${left}" y="${top}" width="22" height="26"/>`;
    }
  }
  return chimney + walls + windows + door + (lit ? lamp : '');
};

/** Gables mostly, a hipped or a shed roof now and then. */
const roof = (wide: number, roll: Roll): string => {
  const ridge = roll(30, 58);
  switch (roll(0, 4)) {
    case 0:
      return `v-${ridge}l${wide} ${ridge}`;
    case 1:
      return `l${wide * 0.2} -${ridge}h${wide * 0.6}l${wide * 0.2} ${ridge}`;
    default:
      return `l${wide / 2} -${ridge}l${wide / 2} ${ridge}`;
  }
};
