export interface Hours {
  day: string;
  night: string;
}

/** Each `--name: light-dark(day, night)` of a stylesheet, by its name. */
export const colorsOf = (css: string): Record<string, Hours> =>
  Object.fromEntries(
    [...css.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(
      ([, name = '', day = '', night = '']) => [name, { day, night }],
    ),
  );
