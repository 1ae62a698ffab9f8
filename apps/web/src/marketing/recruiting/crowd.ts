interface Crowd {
  /** Its size in steps from dot to dot. */
  columns: number;
  rows: number;
  /** SVG paths of dots, from 0 0: subpaths without length, drawn by their round caps. */
  waiting: string;
  hired: string;
}

/**
 * A crowd, several deep at the left and in single file at the right, where the last of
 * them are hired. One dot a person.
 */
export const drawCrowd = (people: number, hired: number): Crowd => {
  const rows = Math.round(Math.sqrt(people) * 0.8);
  const standing = placesFor(people, rows).slice(0, people);
  const dots = standing.map(([column, row]) => `M${column} ${rows - row - 1}h0`);
  const waiting = Math.max(0, people - hired);
  return {
    columns: (standing.at(-1)?.[0] ?? 0) + 1,
    rows,
    waiting: dots.slice(0, waiting).join(''),
    hired: dots.slice(waiting).join(''),
  };
};

/** Places from left to right and from the ground up, in as many columns as hold them all. */
const placesFor = (people: number, rows: number): [column: number, row: number][] => {
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
