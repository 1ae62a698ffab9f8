interface Street {
  seed: string;
  width: number;
  height: number;
  /** Omits objects in front of the houses, such as a van or a tree. */
  empty?: boolean;
}

/** Custom properties of styles/theme.css. */
export const streetColors = [
  ...(['sky', 'sun', 'far', 'near', 'near-too', 'pavement', 'pane', 'accent'] as const),
  ...(['van', 'iron', 'wire', 'leaves'] as const),
];

const pavement = 44;
const wireStroke = 'fill="none" stroke="var(--wire)" stroke-width="4" stroke-linecap="round"';
const litFill = 'class="lit" fill="var(--accent)"';
const glowFill = 'class="glow" fill="var(--accent)" opacity="0.35"';

/**
 * Draws a street with one lit house as SVG, derived from the seed, in the colors of
 * styles/theme.css. Pages use its classes to change the sky or the light.
 */
export const drawStreet = ({ seed, width, height, empty = false }: Street): string => {
  const roll = dice(hashOf(seed));
  const base = height - pavement;
  const sun = `<circle class="sun" fill="var(--sun)" cx="${roll(160, width - 160)}" cy="${Math.max(60, base - roll(160, 220))}" r="${roll(26, 44)}"/>`;
  const far = farHouses(width, base, roll);

  const plots: { x: number; wide: number }[] = [];
  for (let x = -roll(0, 60); x < width; ) {
    const wide = roll(104, 168);
    plots.push({ x, wide });
    x += wide + roll(10, 34);
  }
  // The lit house is not at the edge.
  const home = roll(1, Math.max(1, plots.length - 3));
  const parts: HouseParts = { walls: ['', ''], panes: '', doors: '', light: '' };
  for (const [index, plot] of plots.entries()) {
    addHouse(parts, { ...plot, base, lit: index === home }, roll);
  }
  const { walls, panes, doors, light } = parts;
  const near = `<path fill="var(--near)" d="${walls[0]}"/><path fill="var(--near-too)" d="${walls[1]}"/><path fill="var(--pane)" d="${panes}"/><path fill="var(--pane)" opacity="0.4" d="${doors}"/>${light}`;
  const motif = empty ? undefined : motifs[roll(0, motifs.length - 1)];
  const front = motif?.({ width, base, home: plots[home] }, roll) ?? '';

  return `<svg class="street" width="100%" height="100%" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><path class="sky" fill="var(--sky)" d="M0 0h${width}v${height}H0z"/>${sun}${far}<path fill="var(--pavement)" d="M0 ${base}h${width}v${pavement}H0z"/>${near}${front}</svg>`;
};

interface Scene {
  width: number;
  base: number;
  home: { x: number; wide: number } | undefined;
}

/** The x coordinate for an object of this width that must not cover the lit house. */
const besideLitHouse = ({ width, home }: Scene, wide: number, roll: Roll): number => {
  const { x, wide: houseWide } = home ?? { x: 0, wide: 0 };
  const left = x - wide - 30;
  const right = x + houseWide + 30;
  const leftmost = width * 0.12;
  const rightmost = width * 0.88 - wide;
  if (right < rightmost && (left < leftmost || roll(0, 1) === 0)) {
    return roll(right, Math.floor(Math.min(rightmost, right + 160)));
  }
  return roll(Math.floor(Math.max(leftmost, left - 160)), Math.max(left, Math.ceil(leftmost)));
};

const van = (scene: Scene, roll: Roll): string => {
  const x = besideLitHouse(scene, 150, roll);
  const y = scene.base + 22;
  return `<path ${wireStroke} d="M${x + 8} ${y - 82}h92M${x + 14} ${y - 89}h80m-68 0v7m14-7v7m14-7v7m14-7v7m14-7v7"/><path fill="var(--van)" d="M${x} ${y - 12}v-58q0-8 8-8h92q6 0 9 5l14 25l19 8q6 2 6 8v20z"/><path fill="var(--pane)" d="M${x + 94} ${y - 46}v-22h7l13 22z"/><circle fill="var(--iron)" cx="${x + 30}" cy="${y - 12}" r="14"/><circle fill="var(--iron)" cx="${x + 116}" cy="${y - 12}" r="14"/>`;
};

const wires = ({ width, base }: Scene, roll: Roll): string => {
  const x = roll(Math.floor(width * 0.15), Math.floor(width * 0.85));
  const top = Math.max(24, base - roll(214, 236));
  const birds = [0, 1, 2].map((index) => {
    const at = x + (roll(0, 1) === 0 ? -1 : 1) * (60 + index * roll(22, 40));
    return `<path fill="var(--iron)" d="M${at} ${top + 19}q-1-9 6-11q5 0 5 5l4 2l-5 1q-3 5-10 3z"/>`;
  });
  return `<path ${wireStroke} d="M${x} ${base + 14}V${top - 14}M${x - 28} ${top}h56M${x - 20} ${top + 14}h40M0 ${top + 30}Q${x / 2} ${top + 34} ${x - 24} ${top}M${x + 24} ${top}Q${(x + width) / 2} ${top + 34} ${width} ${top + 30}"/>${birds.join('')}`;
};

const streetLamp = (scene: Scene, roll: Roll): string => {
  const x = besideLitHouse(scene, 40, roll);
  const top = scene.base - 120;
  return `<circle ${glowFill} cx="${x + 34}" cy="${top + 12}" r="20"/><path ${wireStroke} d="M${x} ${scene.base + 18}V${top + 14}q0-14 14-14h20v6"/><circle ${litFill} cx="${x + 34}" cy="${top + 11}" r="7"/>`;
};

const tree = (scene: Scene, roll: Roll): string => {
  const x = besideLitHouse(scene, 110, roll) + 55;
  const high = roll(120, 160);
  return `<path ${wireStroke} d="M${x} ${scene.base + 16}v-${high / 2}m0 26l18-18"/><path fill="var(--leaves)" d="M${x - 44} ${scene.base - high / 2}q-16-28 8-44q-2-36 36-40q38-2 40 34q30 12 14 50z"/>`;
};

const ladder = (scene: Scene, roll: Roll): string => {
  const x = besideLitHouse(scene, 90, roll);
  const rungs = Array.from({ length: 7 }, (_, rung) => {
    const share = (rung + 1) / 8;
    return `M${x + 50 * share} ${scene.base + 12 - 150 * share}h18`;
  });
  return `<path ${wireStroke} d="M${x} ${scene.base + 12}l50-150m18 0l-50 150${rungs.join('')}"/>`;
};

const motifs = [van, wires, streetLamp, tree, ladder];

const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};

/** Mulberry32. Returns integers from `min` to `max`, in the same sequence for the same seed. */
const dice = (seed: number) => {
  let state = seed;
  return (min: number, max: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
    return min + Math.floor(fraction * (max - min + 1));
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
  return `<path fill="var(--far)" d="${path}V${base}z"/>`;
};

interface House {
  x: number;
  wide: number;
  base: number;
  lit: boolean;
}

/** Combined paths of all houses, which are a third smaller than one element per window. */
interface HouseParts {
  walls: [string, string];
  panes: string;
  doors: string;
  light: string;
}

const addHouse = (parts: HouseParts, { x, wide, base, lit }: House, roll: Roll): void => {
  const eaves = base - roll(78, 136);
  const shade = roll(0, 1) as 0 | 1;
  parts.walls[shade] +=
    `M${x + wide - 38} ${eaves - 46}h14v46h-14zM${x} ${base}V${eaves}${roof(wide, roll)}V${base}z`;

  const doorWide = 24;
  const doorHigh = 50;
  const doorX = x + (roll(0, 1) === 0 ? 16 : wide - 16 - doorWide);
  const doorTop = base - doorHigh;
  const door = `M${doorX} ${base}v-${doorHigh}h${doorWide}v${doorHigh}z`;
  if (lit) {
    const lamp = `cx="${doorX + doorWide / 2}" cy="${doorTop - 12}"`;
    parts.light = `<circle ${glowFill} ${lamp} r="16"/><path ${glowFill} d="M${doorX} ${base}h${doorWide}l26 ${pavement}h-${doorWide + 52}z"/><path ${litFill} d="${door}"/><circle ${litFill} ${lamp} r="5"/>`;
  } else {
    parts.doors += door;
  }

  for (let top = eaves + 18; top < base - 42; top += 44) {
    for (let left = x + 16; left + 22 <= x + wide - 12; left += 38) {
      const beside = left + 26 < doorX || left > doorX + doorWide + 4;
      if (!beside && top + 26 > doorTop - 30) continue;
      parts.panes += `M${left} ${top}h22v26h-22z`;
    }
  }
};

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
