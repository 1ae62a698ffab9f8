interface Crowd {
  columns: number;
  rows: number;
  // SVG paths of zero-length subpaths, which round caps make visible.
  waiting: string;
  hired: string;
}

/** Draws one dot per person, narrowing from left to right. The last ones are hired. */
export const drawCrowd = (people: number, hired: number): Crowd => {
  const rows = Math.round(Math.sqrt(people) * 0.8);
  const used = positionsFor(people, rows).slice(0, people);
  const dots = used.map(([column, row]) => `M${column} ${rows - row - 1}h0`);
  const waiting = Math.max(0, people - hired);
  return {
    columns: (used.at(-1)?.[0] ?? 0) + 1,
    rows,
    waiting: dots.slice(0, waiting).join(''),
    hired: dots.slice(waiting).join(''),
  };
};

const positionsFor = (people: number, rows: number): [column: number, row: number][] => {
  const positions: [number, number][] = [];
  for (let columns = 1; positions.length < people; columns += 1) {
    positions.length = 0;
    for (let column = 0; column < columns; column += 1) {
      const height = Math.round(1 + (rows - 1) * (1 - column / columns) ** 1.5);
      for (let row = 0; row < height; row += 1) positions.push([column, row]);
    }
  }
  return positions;
};
